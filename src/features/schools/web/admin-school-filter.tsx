import { type ReactNode, useState } from 'react';
import type { Id } from '#shared/id.ts';
import type { Capability } from '#shared/permissions.ts';
import { readStored, writeStored } from '#web/api/browser-storage.ts';
import { useCan } from '#web/api/permissions.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { FilterSelect } from '#web/ui/admin/filter-select.tsx';
import { filterSelect } from '#web/ui/admin/list-focus-targets.ts';
import { EmptyList, ListTitle } from '#web/ui/admin/list-page.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { QueryPlaceholder } from '#web/ui/query-error.tsx';
import { messages, type PublicSchool } from '../contract.ts';
import { usePermittedSchools } from './admin-permitted-schools.ts';

/** The scope of administrators' lists: one school, or all schools the viewer may see. */
export type SchoolChoice = Id | 'all';

// Stored per account, because computers are shared.
export const adminSchoolKey = (userId: Id) => `adminSchool.${userId}`;

/**
 * Returns this account's last choice in this browser, unless `first` overrides it. The caller checks that the viewer may
 * still see the school.
 */
export function useSchoolChoice(userId: Id, first?: SchoolChoice) {
  const [choice, show] = useState(() => first ?? readChoice(userId));
  const [isFromNumber, openFromNumber] = useState(false);
  return {
    choice: isFromNumber ? 'all' : choice,
    /** Whether the list was opened from a count of pending items, which covers all schools. */
    isFromNumber,
    openFromNumber,
    /** Shows a school without remembering it. */
    show,
    choose(next: SchoolChoice | undefined) {
      openFromNumber(false);
      show(next);
      writeStored(adminSchoolKey(userId), next === undefined ? null : String(next));
    },
  };
}

function readChoice(userId: Id): SchoolChoice | undefined {
  const stored = readStored(adminSchoolKey(userId)) ?? '';
  if (stored === 'all') return 'all';
  return /^[1-9]\d{0,14}$/.test(stored) ? Number(stored) : undefined;
}

type SchoolFilterProps = {
  /** The title of the screen that needs a school. */
  title: string;
  /** The permission that the screen requires at the school. */
  needs: Capability;
  choice: SchoolChoice | undefined;
  onChoice: (choice: SchoolChoice | undefined) => void;
  /** Whether the screen can show all schools at once. */
  hasAll: boolean;
  /** Opens the Schools tab. Offered if there is no school yet. */
  onAddSchool: () => void;
  /** An alternative to choosing a school, below the notice. */
  instead?: ReactNode;
  /** Renders the screen of a district without schools, given the default notice. */
  whenNone: (notice: ReactNode) => ReactNode;
  /** Renders the screen for the selected school, or for all if undefined, with the filter next to its title. */
  children: (school: PublicSchool | undefined, filter: ReactNode) => ReactNode;
};

/** 'Filter by School' (specification section 2). Until a school is selected, shows a notice that contains the select. */
export function SchoolFilter(props: SchoolFilterProps) {
  const { title, needs, choice, onChoice, hasAll, onAddSchool, instead, whenNone, children } = props;
  const { t } = useTranslation();
  const may = useCan();
  const schools = usePermittedSchools(needs);
  const school = schools.assigned ?? schools.data?.find(({ id }) => id === choice);
  const isAll = hasAll && choice === 'all' && schools.data !== undefined && schools.data.length > 1;
  const filter = schools.data !== undefined && (
    <FilterSelect
      label={t('schools:filter')}
      prompt={schools.assigned === undefined ? t('schools:chooseOne') : undefined}
      value={isAll ? 'all' : school === undefined ? '' : String(school.id)}
      onChange={(value) => {
        onChoice(value === 'all' ? value : Number(value) || undefined);
        // After the first choice the select moves from the notice to the title.
        setTimeout(filterSelect.focusSoon);
      }}
      choices={[
        ...(hasAll && schools.data.length > 1 ? [{ value: 'all', text: t('schools:all') }] : []),
        ...schools.data.map(({ id, name }) => ({ value: String(id), text: name })),
      ]}
    />
  );
  if (isAll || school !== undefined) return children(school, filter);
  return (
    <div className="flex flex-col gap-4">
      <ListTitle title={title} />
      <QueryPlaceholder text={messages.failedToLoad} query={schools} rows={1} isTall />
      {schools.data?.length === 0 &&
        whenNone(
          <EmptyList
            text={t('schools:noneYet')}
            action={may('run the district') && <Button onPress={onAddSchool}>{t('schools:addFirst')}</Button>}
          />,
        )}
      {schools.data !== undefined && schools.data.length > 0 && (
        <Notice>
          <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
            <p className="font-medium">{t('schools:selectOne')}</p>
            {filter}
          </div>
        </Notice>
      )}
      {schools.data !== undefined && schools.data.length > 1 && instead}
    </div>
  );
}
