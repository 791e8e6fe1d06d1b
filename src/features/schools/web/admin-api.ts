import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { OtherLanguage } from '#shared/content-translations.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { call } from '#web/api/call.ts';
import { listPages, totalOf } from '#web/api/infinite-pages.ts';
import { useAdminChange } from '#web/api/list-cache.ts';
import { upload } from '#web/api/upload.ts';
import {
  createSchool,
  deleteSchool,
  listSchools,
  removeLogo,
  type School,
  translateSchools,
  updateSchool,
  uploadLogo,
} from '../admin-contract.ts';
import type { TranslatableList } from '../content-translations/web/translatable-list.ts';

/**
 * Fetches schools that match a search, by name. The previous results stay while new ones load. `without` matches those without
 * a name in this language.
 */
export function useSchoolList(search: string, without: OtherLanguage | undefined) {
  return useInfiniteQuery({
    ...listPages(['admin', 'schools', search, without], listSchools, { search, without }, (pages) => ({
      schools: pages.flatMap((page) => page.schools),
      total: totalOf(pages),
    })),
    placeholderData: keepPreviousData,
  });
}

/** School names for the bulk translation dialog. */
export function schoolNames(nameHead: string): TranslatableList {
  return {
    kind: 'schools',
    schoolId: undefined,
    nameHead,
    missing: async (without, limit, signal) => {
      const { schools, total } = await call(listSchools, { query: { without, limit }, signal });
      return { names: schools.map(({ name }) => name), total };
    },
    send: (body, signal) => call(translateSchools, { body, ...(signal && { signal }) }),
  };
}

/** Creates a school, or changes the given version of one. */
export function useSaveSchool() {
  return useAdminChange(
    ({ school, body }: { school: School | undefined; body: BodyOf<typeof createSchool> }) =>
      school === undefined
        ? call(createSchool, { body })
        : call(updateSchool, { params: { id: school.id }, body, version: school.version }),
  );
}

/** Sets or removes a school's service letter template. */
export function useSaveLetter() {
  return useAdminChange(
    ({ school, letter }: { school: School; letter: BodyOf<typeof updateSchool>['letter'] }) =>
      call(updateSchool, { params: { id: school.id }, body: { letter }, version: school.version }),
  );
}

/** Replaces or removes a school's logo. */
export function useSaveLogo() {
  return useAdminChange(({ school, logo, onProgress }: LogoSaving) => {
    const params = { id: school.id };
    if (logo === 'removed') return call(removeLogo, { params });
    return upload(uploadLogo, {
      params,
      fields: {},
      file: logo,
      name: logo.name,
      onProgress,
      signal: new AbortController().signal,
    });
  });
}

type LogoSaving = Readonly<{
  school: Pick<School, 'id'>;
  logo: File | 'removed';
  onProgress: (sent: number) => void;
}>;

/** Deletes a school that has no data left. */
export function useDeleteSchool() {
  return useAdminChange((school: School) => call(deleteSchool, { params: { id: school.id } }));
}
