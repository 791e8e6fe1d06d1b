import { useState } from 'react';
import { UserPicker } from '#features/users/web/admin-user-picker.tsx';
import { useCan } from '#web/api/permissions.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { CollapsibleFilters } from '#web/ui/admin/collapsible-filters.tsx';
import { DateRangeChips, PressChip, SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { listSearch } from '#web/ui/admin/list-focus-targets.ts';
import { EmptyList, ListTitle } from '#web/ui/admin/list-page.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { useDebounced } from '#web/ui/use-debounced.ts';
import { ACTION_KINDS, type ActionKind, AUDIT_SUBJECTS, type AuditSubject, messages } from '../contract.ts';
import { AuditEventList, type Subject } from './admin-audit-events.tsx';
import { applyFilterChange, countActiveFilters, type LogFilters, NO_FILTERS, useAuditLog } from './api.ts';

type AuditLogProps = { timeZone: string; onHistory: (subject: Subject) => void };

/** The district's audit log, with search and filters. */
export function AuditLog({ timeZone, onHistory }: AuditLogProps) {
  const { t, say } = useTranslation();
  const isWhole = useCan()('see history', 'all');
  const [filters, setFilters] = useState(NO_FILTERS);
  const searched = useDebounced(filters.search);
  const applied = { ...filters, search: searched };
  const log = useAuditLog(applied);
  const records = log.data;
  const isFiltered = applied.search !== '' || countActiveFilters(applied) > 0;
  return (
    <section aria-labelledby="district-log" className="flex flex-col gap-4">
      <ListTitle id="district-log" title={t(isWhole ? 'web:districtLog' : 'web:schoolLog')} />
      <p className="-mt-3 text-soft">{t('audit:logNote')}</p>
      {log.isError && !log.isFetchNextPageError && <QueryError text={messages.failedToLoad} query={log} />}
      <SearchField
        ref={listSearch.ref}
        label={t('audit:search')}
        value={filters.search}
        onChange={(search) => setFilters({ ...filters, search })}
      />
      <LogFilterBar filters={filters} onChange={setFilters} />
      {records === undefined && !log.isError && <SkeletonRows rows={8} />}
      {records?.length === 0 && (
        <EmptyList
          text={t(isFiltered ? 'audit:noneMatch' : 'audit:noneYet')}
          action={isFiltered && <Button onPress={() => setFilters(NO_FILTERS)}>{t('audit:showAll')}</Button>}
        />
      )}
      {records !== undefined && records.length > 0 && (
        <>
          <AuditEventList records={records} timeZone={timeZone} onHistory={onHistory} />
          <ListEnd list={log} failure={say(messages.failedToLoad)} />
        </>
      )}
    </section>
  );
}

type LogFilterBarProps = { filters: LogFilters; onChange: (filters: LogFilters) => void };

function LogFilterBar({ filters, onChange }: LogFilterBarProps) {
  const { t } = useTranslation();
  const [isPicking, setIsPicking] = useState(false);
  const set = (change: Partial<LogFilters>) => onChange(applyFilterChange(filters, change));
  const count = countActiveFilters(filters);
  return (
    <CollapsibleFilters count={count}>
      <DateRangeChips startDate={filters.startDate} endDate={filters.endDate} onChange={set} />
      <PressChip
        label={t('audit:person')}
        text={filters.user?.name ?? t('audit:everybody')}
        onPress={() => setIsPicking(true)}
        onClear={filters.user === undefined ? undefined : () => set({ user: undefined })}
      />
      <SelectChip
        label={t('audit:action')}
        all={t('audit:allActions')}
        value={filters.kind ?? ''}
        onChange={(value) => set({ kind: ACTION_KINDS.find((kind) => kind === value) })}
        choices={ACTION_KINDS.map((kind) => ({ value: kind, text: t(KIND_NAMES[kind]) }))}
      />
      <SelectChip
        label={t('audit:thing')}
        all={t('audit:allThings')}
        value={filters.thing ?? ''}
        onChange={(value) => set({ thing: AUDIT_SUBJECTS.find((thing) => thing === value) })}
        choices={AUDIT_SUBJECTS.map((thing) => ({ value: thing, text: t(THING_NAMES[thing]) }))}
      />
      <LinkButton
        isDisabled={count === 0}
        onPress={() => onChange({ ...NO_FILTERS, search: filters.search })}
      >
        {t('web:resetAll')}
      </LinkButton>
      <Dialog title={t('audit:choosePerson')} isOpen={isPicking} onClose={() => setIsPicking(false)}>
        <UserPicker
          onPick={({ id, name }) => {
            set({ user: { id, name } });
            setIsPicking(false);
          }}
        />
      </Dialog>
    </CollapsibleFilters>
  );
}

const KIND_NAMES: Readonly<Record<ActionKind, MessageKey>> = {
  create: 'audit:kindCreate',
  change: 'audit:kindChange',
  delete: 'audit:kindDelete',
  restore: 'audit:kindRestore',
  decide: 'audit:kindDecide',
  'sign-in': 'audit:kindSignIn',
  fail: 'audit:kindFail',
  export: 'audit:kindExport',
};

const THING_NAMES: Readonly<Record<AuditSubject, MessageKey>> = {
  'time-entry': 'audit:thingsTimeEntry',
  user: 'audit:thingsUser',
  invite: 'audit:thingsInvite',
  school: 'audit:thingsSchool',
  category: 'audit:thingsCategory',
  activity: 'audit:thingsActivity',
  suggestion: 'audit:thingsSuggestion',
  'user-import': 'audit:thingsUserImport',
  'time-entry-import': 'audit:thingsTimeEntryImport',
  export: 'audit:thingsExport',
  photo: 'audit:thingsPhoto',
  setting: 'audit:thingsSetting',
  drive: 'audit:thingsDrive',
  system: 'audit:thingsSystem',
  'legal-hold': 'audit:thingsLegalHold',
};
