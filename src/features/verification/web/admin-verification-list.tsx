import { Hourglass } from 'lucide-react';
import { memo, useId, useMemo, useState } from 'react';
import type { TimeEntry } from '#features/time-entries/contract.ts';
import { VerificationStatusBadge } from '#features/time-entries/web/verification-status-badge.tsx';
import { dayIn, formatDay, formatDayShort } from '#shared/calendar-date.ts';
import { groupBy } from '#shared/group-by.ts';
import { formatHours } from '#shared/hours.ts';
import { fullName } from '#shared/person-name.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { createFocusTargets } from '#web/ui/focus-target.ts';
import { VirtualList } from '#web/ui/virtual-list.tsx';
import { OVERDUE_DAYS } from '../contract.ts';
import type { VerifierRequest } from '../external-verifiers/request-contract.ts';
import { FLAG_LABELS } from './admin-verification-filter-bar.tsx';
import {
  entryFocusKey,
  type Group,
  groupEntries,
  groupFocusKey,
  type QueueEntry,
  sumEntryHours,
} from './admin-verification-groups.ts';

/** The actions on entries; undefined for users who can only view them. */
export type DecisionHandlers = Readonly<{
  onVerify: (entries: readonly TimeEntry[]) => void;
  onAdjust: (entry: TimeEntry) => void;
  onDecline: (entries: readonly TimeEntry[]) => void;
  onReopen: (entries: readonly TimeEntry[]) => void;
  isBusy: boolean;
}>;

/** The first button of each row and group; the keys j and k move between them. */
export const queueFocusTargets = createFocusTargets<string>();

/** The parts of a group that the user has expanded or checked. */
export type ExpandedState = Readonly<{ isEach?: boolean; isMarkedIn?: boolean }>;

type GroupCardProps = {
  group: Group;
  timeZone: string;
  isWaiting: boolean;
  deciding: DecisionHandlers | undefined;
};

type ExpandedProps = {
  /** The state of each group, which outlives the rendered rows. */
  expanded: Map<string, ExpandedState>;
};

/** The entries of one activity and day: first each marked entry in its own row, then all others together. */
export function GroupCard({
  id,
  group,
  timeZone,
  isWaiting,
  deciding,
  expanded,
}: GroupCardProps & ExpandedProps & { id: string }) {
  const { t, language } = useTranslation();
  const [isMarkedIn, setIsMarkedIn] = useExpanded(expanded, group, 'isMarkedIn');
  const { activity, date, marked, plain } = group;
  return (
    <>
      <div className="px-4 pt-4 pb-3">
        <h3 id={id} className="flex items-baseline gap-2.5 text-lg font-semibold">
          <CategoryDot color={activity.category.color} />
          <span className="min-w-0 wrap-anywhere">
            {activity.name}
            <span className="sr-only">, {formatDay(date, language)}</span>
          </span>
        </h3>
        <p className="figures mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-soft">
          <span>{formatDay(date, language)}</span>
          <span aria-hidden="true">·</span>
          <span>
            {t('verification:groupSum', {
              count: marked.length + plain.length,
              hours: formatHours(group.hours, language),
            })}
          </span>
          {group.isOverdue && (
            <Badge tone="notice" icon={<Hourglass aria-hidden="true" className="size-3.5" />}>
              {t('verification:groupOverdue', { days: OVERDUE_DAYS })}
            </Badge>
          )}
        </p>
      </div>
      {marked.length > 0 && (
        <div className="border-t border-line">
          <p className="px-4 pt-3 font-medium text-notice">
            {t('verification:marked', { count: marked.length })}
          </p>
          <ul className="divide-y divide-line">
            {marked.map((entry) => (
              <EntryLine
                key={entry.id}
                entry={entry}
                timeZone={timeZone}
                isWaiting={isWaiting}
                deciding={deciding}
              />
            ))}
          </ul>
          {deciding !== undefined && isWaiting && plain.length > 0 && (
            <div className="border-t border-line px-2">
              <Checkbox isSelected={isMarkedIn} onChange={setIsMarkedIn}>
                {t('verification:includeMarked', { count: marked.length })}
              </Checkbox>
            </div>
          )}
        </div>
      )}
      {plain.length > 0 && (
        <PlainEntries
          group={group}
          timeZone={timeZone}
          decided={isMarkedIn ? [...marked, ...plain] : plain}
          isWaiting={isWaiting}
          deciding={deciding}
          expanded={expanded}
        />
      )}
    </>
  );
}

function useExpanded(stored: Map<string, ExpandedState>, { key }: Group, what: keyof ExpandedState) {
  const [isOn, setIsOn] = useState(stored.get(key)?.[what] ?? false);
  function set(next: boolean) {
    stored.set(key, { ...stored.get(key), [what]: next });
    setIsOn(next);
  }
  return [isOn, set] as const;
}

// The volunteers without marked entries, with one button for all of them or a row for each.
function PlainEntries({
  group,
  timeZone,
  decided,
  isWaiting,
  deciding,
  expanded,
}: GroupCardProps & ExpandedProps & { decided: readonly TimeEntry[] }) {
  const text = useTranslation();
  const { t, language } = text;
  const [isEach, setIsEach] = useExpanded(expanded, group, 'isEach');
  const { activity, date, plain } = group;
  const names = { activity: activity.name, date: formatDayShort(date, language) };
  return (
    <div className="border-t border-line">
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 px-4 py-2.5" data-desk-row>
        <div className="min-w-0 grow basis-60">
          {!isEach && <p className="text-dense wrap-anywhere">{listPeople(plain, text)}</p>}
          {!isEach && <RequestLines entries={plain} timeZone={timeZone} />}
          <LinkButton
            onPress={() => setIsEach(!isEach)}
            isExpanded={isEach}
            label={t('verification:showEachOf', names)}
          >
            {t('verification:showEach')}
          </LinkButton>
        </div>
        {deciding !== undefined && (
          <GroupButtons
            group={group}
            decided={decided}
            isWaiting={isWaiting}
            deciding={deciding}
            names={names}
          />
        )}
      </div>
      {isEach && (
        <ul className="divide-y divide-line border-t border-line">
          {plain.map((entry) => (
            <EntryLine
              key={entry.id}
              entry={entry}
              timeZone={timeZone}
              isWaiting={isWaiting}
              deciding={deciding}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

type GroupButtonsProps = Omit<GroupCardProps, 'timeZone'> & {
  decided: readonly TimeEntry[];
  deciding: DecisionHandlers;
  names: { activity: string; date: string };
};

function GroupButtons({ group, decided, isWaiting, deciding, names }: GroupButtonsProps) {
  const { t } = useTranslation();
  const count = decided.length;
  const focusRef = queueFocusTargets(groupFocusKey(group)).ref;
  if (!isWaiting) {
    return (
      <Button
        ref={focusRef}
        onPress={() => deciding.onReopen(decided)}
        label={t('verification:reopenGroup', { count, ...names })}
        isBusy={deciding.isBusy}
      >
        {t('verification:reopenCount', { count })}
      </Button>
    );
  }
  return (
    <div className="flex flex-wrap gap-2">
      <span data-desk-key="d">
        <Button
          kind="plain"
          onPress={() => deciding.onDecline(decided)}
          label={t('verification:declineGroup', { count, ...names })}
          isBusy={deciding.isBusy}
        >
          {t('verification:decline')}
        </Button>
      </span>
      <span data-desk-key="v">
        <Button
          ref={focusRef}
          kind="primary"
          onPress={() => deciding.onVerify(decided)}
          label={t('verification:verifyGroup', { count, ...names })}
          isBusy={deciding.isBusy}
        >
          {t('verification:verifyCount', { count })}
        </Button>
      </span>
    </div>
  );
}

type EntryLineProps = Omit<GroupCardProps, 'group'> & { entry: QueueEntry };

function EntryLine({ entry, timeZone, isWaiting, deciding }: EntryLineProps) {
  const { t, language } = useTranslation();
  const { verification, flags, notes, user } = entry;
  const hours = t('time-entries:shortHours', { hours: formatHours(entry.hours, language) });
  const names = {
    person: fullName(user),
    hours,
    activity: entry.activity.name,
    date: formatDayShort(entry.entryDate, language),
  };
  const focusRef = queueFocusTargets(entryFocusKey(entry)).ref;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5" data-desk-row>
      <div className="flex min-w-0 grow basis-56 flex-col gap-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="font-medium wrap-anywhere">{names.person}</span>
          <span className="figures font-semibold whitespace-nowrap">{hours}</span>
          {!isWaiting && <VerificationStatusBadge entry={entry} />}
        </p>
        {(flags ?? []).length > 0 && (
          <p className="text-dense text-notice">
            {(flags ?? []).map((flag) => t(FLAG_LABELS[flag])).join(' · ')}
          </p>
        )}
        {verification?.reopenRequested === true && (
          <p className="text-dense wrap-anywhere text-notice">
            {verification.reopenNote === null
              ? t('verification:asksToReopenBare')
              : t('verification:asksToReopen', { note: verification.reopenNote })}
          </p>
        )}
        <RequestLines entries={[entry]} timeZone={timeZone} />
        {notes !== null && <p className="text-dense wrap-anywhere text-soft">{notes}</p>}
      </div>
      {deciding !== undefined && !isWaiting && (
        <Button
          ref={focusRef}
          onPress={() => deciding.onReopen([entry])}
          label={t('verification:reopenOf', names)}
          isBusy={deciding.isBusy}
        >
          {t('verification:reopen')}
        </Button>
      )}
      {deciding !== undefined && isWaiting && (
        <div className="-mr-2 flex flex-wrap gap-1">
          <span data-desk-key="d">
            <Button
              kind="plain"
              onPress={() => deciding.onDecline([entry])}
              label={t('verification:declineOf', names)}
              isBusy={deciding.isBusy}
            >
              {t('verification:decline')}
            </Button>
          </span>
          <Button
            kind="plain"
            onPress={() => deciding.onAdjust(entry)}
            label={t('verification:adjustOf', names)}
            isBusy={deciding.isBusy}
          >
            {t('verification:adjust')}
          </Button>
          <span data-desk-key="v">
            <Button
              ref={focusRef}
              onPress={() => deciding.onVerify([entry])}
              label={t('verification:verifyOf', names)}
              isBusy={deciding.isBusy}
            >
              {t('verification:verify')}
            </Button>
          </span>
        </div>
      )}
    </li>
  );
}

// Requests sent to external verifiers, with the status of their emails. Identical lines are shown once.
function RequestLines({ entries, timeZone }: { entries: readonly QueueEntry[]; timeZone: string }) {
  const text = useTranslation();
  const lines = new Map(
    entries.flatMap(({ asked }) => {
      if (asked === undefined || asked === null) return [];
      return [[requestLabel(asked, timeZone, text), asked.state === 'sent']];
    }),
  );
  return [...lines].map(([line, isSent]) => (
    <p key={line} className={`text-dense wrap-anywhere ${isSent ? 'text-soft' : 'text-notice'}`}>
      {line}
    </p>
  ));
}

function requestLabel({ to, at, state }: VerifierRequest, timeZone: string, { t, language }: Text): string {
  if (state === 'stopped' || at === null) return t('verification:askedStopped', { address: to });
  const date = formatDayShort(dayIn(timeZone, at), language);
  return t(state === 'failed' ? 'verification:askedFailed' : 'verification:askedOn', { address: to, date });
}

// Each volunteer with the hours of their entries in the group.
function listPeople(entries: readonly TimeEntry[], { t, language }: Text): string {
  const people = groupBy(entries, ({ user }) => user.id);
  return [...people.values()]
    .map((own) =>
      t('verification:personHours', {
        person: own[0] === undefined ? '' : fullName(own[0].user),
        hours: formatHours(sumEntryHours(own), language),
      }),
    )
    .join(', ');
}

const GAP_PX = 12;
/** The estimated height of a group, and what each separate entry in it adds. */
const GROUP_PX = 170;
const MARKED_PX = 110;

/** The entries of the verification queue by activity and day. Only groups near the viewport are rendered. */
export const VerificationList = memo(function VerificationList({
  entries,
  timeZone,
  isWaiting,
  deciding,
}: {
  entries: readonly QueueEntry[];
  /** The district's time zone. */
  timeZone: string;
  isWaiting: boolean;
  deciding: DecisionHandlers | undefined;
}) {
  const groups = useMemo(() => groupEntries(entries), [entries]);
  // Remembers what is expanded or checked in a group while it is scrolled out of view.
  const [expanded] = useState(() => new Map<string, ExpandedState>());
  const id = useId();
  const labelOf = ({ key }: Group) => `${id}-${key.replaceAll(' ', '-')}`;
  return (
    <ul className="flex flex-col gap-3">
      <VirtualList
        as="li"
        className="rounded-card border border-line bg-card"
        items={groups}
        keyOf={({ key }) => key}
        labelOf={labelOf}
        heightOf={heightOf}
        gap={GAP_PX}
      >
        {(group) => (
          <GroupCard
            id={labelOf(group)}
            group={group}
            timeZone={timeZone}
            isWaiting={isWaiting}
            deciding={deciding}
            expanded={expanded}
          />
        )}
      </VirtualList>
    </ul>
  );
});

const heightOf = ({ marked }: Group) =>
  GROUP_PX + (marked.length === 0 ? 0 : MARKED_PX * Math.min(marked.length + 1, 20));
