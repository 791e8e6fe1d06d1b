import type { ReactNode } from 'react';
import type { Id } from '#shared/id.ts';
import type { FieldBinding } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckList } from '#web/ui/check-list.tsx';
import { Logo } from '#web/ui/logo.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { messages } from '../contract.ts';
import { usePublicSchools } from './api.ts';

/** Shown in a district without schools. Only an administrator can add the first one. */
export function NoSchoolsNotice({ onAddSchool }: { onAddSchool: () => void }) {
  const { t } = useTranslation();
  return (
    <Notice>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="font-medium">{t('schools:noneYet')}</p>
        <Button onPress={onAddSchool}>{t('schools:addFirst')}</Button>
      </div>
    </Notice>
  );
}

type SchoolCheckListProps = FieldBinding<number[]> & {
  label: string;
  hint?: string;
  /** The address to contact if there is no school yet. */
  supportEmail?: string | undefined;
  /** Opens the Schools tab, for administrators. */
  onAddSchool?: (() => void) | undefined;
  /** Filters out schools that cannot be chosen here. */
  isOffered?: (schoolId: Id) => boolean;
  /** Returns a note next to a school, if any. */
  noteOf?: (schoolId: Id) => ReactNode;
};

/** Checkboxes for the schools a person belongs to. */
export function SchoolCheckboxes(props: SchoolCheckListProps) {
  const { supportEmail = '', onAddSchool, isOffered = () => true, noteOf, ...field } = props;
  const { say, t } = useTranslation();
  const schools = usePublicSchools();

  if (schools.data === undefined) {
    return schools.isError || schools.isRefetchError ? (
      <QueryError text={messages.failedToLoadTryAgain} query={schools} />
    ) : (
      <div className="flex flex-col gap-1.5">
        <p className="font-medium">{t('schools:loading')}</p>
        <SkeletonRows rows={3} />
      </div>
    );
  }
  if (schools.data.length === 0) {
    return onAddSchool === undefined ? (
      <Notice>{say(messages.none(supportEmail))}</Notice>
    ) : (
      <NoSchoolsNotice onAddSchool={onAddSchool} />
    );
  }
  return (
    <CheckList
      searchLabel={t('schools:search')}
      noMatch={t('schools:noMatch')}
      choices={schools.data
        .filter(({ id }) => isOffered(id))
        .map((school) => ({
          ...school,
          picture: school.logoUrl === null ? undefined : <Logo src={school.logoUrl} size="row" />,
          note: noteOf?.(school.id),
        }))}
      {...field}
    />
  );
}
