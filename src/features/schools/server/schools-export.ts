import type { Deps } from '#server/deps.ts';
import { askedIn, type ListColumn, listFile } from '#server/export/list-file.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import type { Acting } from '#server/http/viewer.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import type { exportSchools, School } from '../admin-contract.ts';
import { listForAdministrators } from './actions.ts';

const COLUMNS: readonly ListColumn<School>[] = [
  { title: 'schools:name', kind: 'text', width: 32, value: ({ name }) => name },
  { title: 'schools:volunteers', kind: 'number', width: 12, value: ({ counts }) => counts.userSchools },
  {
    title: 'schools:categories',
    kind: 'number',
    width: 12,
    value: ({ counts }) => counts.activityCategories,
  },
];

/** The schools of a list as a file. */
export function schoolsFile(
  deps: Deps,
  acting: Acting,
  input: BodyOf<typeof exportSchools>,
): Promise<FileAnswer> {
  const asked = askedIn(input);
  return listFile(deps, acting, {
    list: 'schools',
    title: 'schools:title',
    format: input.format,
    asked,
    columns: COLUMNS,
    read: async (page) => {
      const { schools: rows, nextCursor } = await listForAdministrators(deps, acting.viewer, {
        ...asked,
        ...page,
      });
      return { rows, nextCursor };
    },
  });
}
