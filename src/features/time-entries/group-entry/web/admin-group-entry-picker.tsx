import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ClipboardEvent, type RefObject, useState } from 'react';
import type { Activity } from '#features/activities/contract.ts';
import { messages as userMessages } from '#features/users/admin-contract.ts';
import { membersOf } from '#features/users/web/admin-api.ts';
import { type CalendarDate, isCalendarDate } from '#shared/calendar-date.ts';
import { type Hours, sumHours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { fullName } from '#shared/person-name.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryStatus } from '#web/ui/query-error.tsx';
import { moveBetweenRows, RowButton } from '#web/ui/row-button.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { fetchEntriesOfDay } from '../../admin-list/web/admin-api.ts';
import { findExactMember, findMembers, type Member, OFFERED_MEMBERS, parseRow } from './group-entry-rows.ts';

/** All members of a school, so that names are found while typing without a request. */
export function useMembers(schoolId: Id) {
  const client = useQueryClient();
  const query = { queryKey: ['admin', 'users', 'members', schoolId], queryFn: () => membersOf(schoolId) };
  const members = useQuery(query);
  return {
    people: members.data ?? [],
    query: members,
    /** Resolves to the members once they are loaded, or to an empty list when they cannot be loaded. */
    all: (): Promise<readonly Member[]> => client.ensureQueryData(query).catch((): readonly Member[] => []),
  } as const;
}

/** The hours that each volunteer already has for an activity on a day. */
export function useDayHours(activity: Activity | undefined, date: string): ReadonlyMap<Id, Hours> {
  const day = isCalendarDate(date) ? date : undefined;
  const found = useQuery({
    queryKey: ['time-entries', 'of day', activity?.id, day],
    queryFn: () => fetchEntriesOfDay(activity as Activity, day as CalendarDate),
    enabled: activity !== undefined && day !== undefined,
    staleTime: 0,
  }).data;
  const had = new Map<Id, Hours>();
  for (const { user, hours } of found ?? []) had.set(user.id, sumHours([had.get(user.id) ?? 0, hours]));
  return had;
}

type SheetPickerProps = {
  ref: RefObject<HTMLInputElement | null>;
  members: ReturnType<typeof useMembers>;
  onSheet: ReadonlySet<Id>;
  /** A member was chosen; `typed` may have hours after the name. */
  onPick: (member: Member, typed: string) => void;
  /** Enter was pressed for a text that matches no member. */
  onUnknown: (typed: string) => void;
  onPaste: (pasted: string) => void;
};

const MORE = 20;

/**
 * Adds names to a group entry. Enter adds the only match and clears the field. With no match or several, the new row asks who
 * is meant. Pasting several lines adds a row for each.
 */
export function GroupEntryPicker({ ref, members, onSheet, onPick, onUnknown, onPaste }: SheetPickerProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const left = members.people.filter(({ id }) => !onSheet.has(id));
  const isBlank = typed.trim() === '';
  const matches = isBlank ? [] : findMatches(left, typed).slice(0, OFFERED_MEMBERS);

  function addMember(member: Member): void {
    onPick(member, typed);
    setTyped('');
    ref.current?.focus();
  }
  // Text typed while the members are loading stays in the field.
  async function addOnlyMatch(): Promise<void> {
    // In an empty field, Enter moves to the submit button.
    if (isBlank) return ref.current?.form?.querySelector<HTMLElement>('[type=submit]')?.focus();
    const submitted = typed;
    const people = await members.all();
    const only =
      findOnlyMatch(
        people.filter(({ id }) => !onSheet.has(id)),
        submitted,
      ) ?? findOnlyMatch(people, submitted);
    if (only === undefined) onUnknown(submitted.trim());
    else onPick(only, submitted);
    setTyped((now) => (now === submitted ? '' : now));
  }
  function paste(event: ClipboardEvent): void {
    const pasted = event.clipboardData.getData('text');
    if (!/[\r\n\t]/.test(pasted.trim())) return;
    event.preventDefault();
    setTyped('');
    onPaste(pasted);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles arrow keys and pasted lines from the controls inside
    <div className="flex flex-col gap-2" onKeyDown={moveBetweenRows} onPaste={paste}>
      <SearchField
        ref={ref}
        label={t('time-entries:sheetName')}
        value={typed}
        onChange={setTyped}
        onEnter={() => void addOnlyMatch()}
      />
      <p className="text-sm text-soft">{t('time-entries:sheetNameHint')}</p>
      <QueryStatus text={userMessages.failedToLoad} query={members.query} rows={3} />
      {!isBlank && !members.query.isPending && matches.length === 0 && (
        <p className="text-soft">{t('time-entries:sheetUnknown', { name: typed.trim() })}</p>
      )}
      {matches.length > 0 && (
        <div className="max-h-72 overflow-y-auto rounded-xl border border-line p-1">
          {matches.map((member) => (
            <MemberRow key={member.id} member={member} onPress={() => addMember(member)} />
          ))}
        </div>
      )}
    </div>
  );
}

type MembersLeftProps = {
  people: readonly Member[];
  onSheet: ReadonlySet<Id>;
  onPick: (member: Member) => void;
};

/** The members who are not in the group entry yet. */
export function RemainingMembers({ people, onSheet, onPick }: MembersLeftProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(MORE);
  const left = people.filter(({ id }) => !onSheet.has(id));
  if (left.length === 0) return null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only handles arrow keys from the controls inside
    <div className="flex flex-col gap-2" onKeyDown={moveBetweenRows}>
      <p className="font-medium">{t('time-entries:sheetLeft', { count: left.length })}</p>
      <div className="max-h-72 overflow-y-auto rounded-xl border border-line p-1">
        {left.slice(0, shown).map((member) => (
          <MemberRow key={member.id} member={member} onPress={() => onPick(member)} />
        ))}
        {left.length > shown && (
          <Button kind="plain" onPress={() => setShown(shown + MORE * 5)}>
            {t('web:showMore')}
          </Button>
        )}
      </div>
    </div>
  );
}

function MemberRow({ member, onPress }: { member: Member; onPress: () => void }) {
  const { t } = useTranslation();
  return (
    <RowButton onPress={onPress}>
      <span className="flex min-w-0 flex-col wrap-anywhere">
        <span className="font-medium">{fullName(member)}</span>
        <span className="text-sm text-soft">{member.email || t('time-entries:sheetWalkIn')}</span>
      </span>
    </RowButton>
  );
}

// With two matches, such as two Browns, and no exact one, Enter picks neither and the row asks which one.
function findOnlyMatch(people: readonly Member[], typed: string): Member | undefined {
  const [first, ...others] = findMatches(people, typed);
  return findExactMember(people, parseRow(typed)) ?? (others.length === 0 ? first : undefined);
}

function findMatches(people: readonly Member[], typed: string): Member[] {
  const { firstName, lastName, email } = parseRow(typed);
  return findMembers(people, email ?? `${firstName} ${lastName}`);
}
