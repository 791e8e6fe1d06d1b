import { useState } from 'react';
import { dayIn, formatDay, formatMoment } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import { fullName } from '#shared/person-name.ts';
import { failureText } from '#web/api/call.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { HistoryList } from '#web/ui/admin/history-list.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { EmptyList, ListPage } from '#web/ui/admin/list-page.tsx';
import { QueueItem, QueueList } from '#web/ui/admin/queue-list.tsx';
import { useSearch } from '#web/ui/admin/use-list-search.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { notify } from '#web/ui/toasts.ts';
import type { AdminUsersProps } from '../../web/admin-users-props.ts';
import type { PossibleDuplicate, Reason } from '../contract.ts';
import { type Merge, screenMessages, UNDO_DAYS } from '../contract.ts';
import { useDuplicates, useMarkNotDuplicate, usePastMerges, useUndoMerge } from './admin-api.ts';
import { MergeDialog } from './admin-merge-dialog.tsx';

type Pair = Readonly<{ one: PossibleDuplicate; other: PossibleDuplicate; reason: Reason }>;

const REASON_TEXTS: Readonly<Record<Reason, MessageKey>> = {
  address: 'merging:reasonAddress',
  walkIn: 'merging:reasonWalkIn',
  name: 'merging:reasonName',
  swapped: 'merging:reasonSwapped',
  alike: 'merging:reasonAlike',
  elsewhere: 'merging:reasonElsewhere',
};

/** Pairs of possible duplicates: compare and merge them, or mark them as different. Recent merges are listed below. */
export function Duplicates({ viewer, district }: AdminUsersProps) {
  const { t } = useTranslation();
  const search = useSearch();
  const list = useDuplicates(search.searched);
  const [compared, setCompared] = useState<Pair>();
  const { data } = list;
  return (
    <div className="flex flex-col gap-6">
      <ListPage
        title={t('merging:title')}
        total={data === undefined ? undefined : t('merging:total', { count: data.total })}
        search={{ label: t('merging:search'), value: search.typed, onChange: search.onChange }}
        banner={undefined}
        loading={list}
        failure={t('merging:failedToLoad')}
        empty={
          data?.pairs.length === 0 ? (
            <EmptyList text={t(search.searched.trim() === '' ? 'merging:none' : 'merging:noneMatch')} />
          ) : undefined
        }
      >
        {data === undefined ? undefined : (
          <div className="flex flex-col gap-3">
            <p className="text-soft">{t('merging:intro')}</p>
            <QueueList label={t('merging:title')}>
              {data.pairs.map((pair) => (
                <PairRow
                  key={`${pair.one.user.id} ${pair.other.user.id}`}
                  pair={pair}
                  timeZone={district.timeZone}
                  onCompare={() => setCompared(pair)}
                />
              ))}
            </QueueList>
          </div>
        )}
      </ListPage>
      <PastMerges timeZone={district.timeZone} />
      <MergeDialog
        pair={compared === undefined ? undefined : [compared.one.user, compared.other.user]}
        viewerId={viewer.id}
        timeZone={district.timeZone}
        onClose={() => setCompared(undefined)}
        onMerged={() => {
          setCompared(undefined);
          // The button that opened the dialog is gone.
          setTimeout(listTitle.focus);
        }}
      />
    </div>
  );
}

type PairRowProps = { pair: Pair; timeZone: string; onCompare: () => void };

function PairRow({ pair, timeZone, onCompare }: PairRowProps) {
  const { t } = useTranslation();
  const { one, other, reason } = pair;
  const telling = useMarkNotDuplicate();
  const both = {
    one: fullName(one.user),
    oneAddress: one.user.email || t('merging:walkIn'),
    other: fullName(other.user),
    otherAddress: other.user.email || t('merging:walkIn'),
  };

  async function tell(areTwo: boolean) {
    try {
      const { message } = await telling.mutateAsync({ id: one.user.id, other: other.user.id, areTwo });
      notify.success(message, areTwo ? { undo: () => void tell(false) } : {});
      if (areTwo) setTimeout(listTitle.focus);
    } catch (error) {
      notify.failure(failureText(error));
    }
  }
  return (
    <QueueItem isTall>
      <div>
        <Badge>{t(REASON_TEXTS[reason])}</Badge>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Side of={one} timeZone={timeZone} />
        <Side of={other} timeZone={timeZone} />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button label={t('merging:compareBoth', both)} onPress={onCompare}>
          {t('merging:compare')}
        </Button>
        <Button
          kind="plain"
          label={t('merging:areTwoBoth', both)}
          isBusy={telling.isPending}
          onPress={() => void tell(true)}
        >
          {t('merging:areTwo')}
        </Button>
      </div>
    </QueueItem>
  );
}

function Side({ of: { user, entries, hours }, timeZone }: { of: PossibleDuplicate; timeZone: string }) {
  const { t, language } = useTranslation();
  const { lastLogin } = user;
  const facts = [
    user.email || t('merging:noAddress'),
    entries === 0
      ? t('merging:noHours')
      : t('merging:hours', { count: entries, hours: formatHours(hours, language) }),
    user.userSchools.map(({ school }) => school.name).join(', ') || t('users:noSchools'),
    lastLogin === null
      ? t('merging:neverSignedIn')
      : t('merging:lastSignIn', { day: formatDay(dayIn(timeZone, lastLogin), language) }),
  ];
  return (
    <div className="min-w-0 wrap-anywhere">
      <p className="font-medium">
        {fullName(user)} {user.isWalkIn && <Badge>{t('merging:walkIn')}</Badge>}
        {!user.isActive && <Badge>{t('merging:inactive')}</Badge>}
      </p>
      {facts.map((fact) => (
        <p key={fact} className="text-dense text-soft">
          {fact}
        </p>
      ))}
    </div>
  );
}

/** The merges of the last 30 days, with an Undo button where an undo is possible. */
function PastMerges({ timeZone }: { timeZone: string }) {
  const { t, language } = useTranslation();
  const undoing = useUndoMerge();
  const [asked, setAsked] = useState<Merge>();

  async function undo() {
    if (asked === undefined) return;
    const { message } = await undoing.mutateAsync(asked.id);
    setAsked(undefined);
    notify.success(message);
    // The button that opened the dialog is gone.
    setTimeout(listTitle.focus);
  }

  function rowOf({ name, into, mergedBy, mergedAt, undoneAt }: Merge) {
    const names = { name, into: into.name };
    return {
      when: t('merging:pastRow', names),
      undone:
        undoneAt === null
          ? undefined
          : t('merging:undone', { when: formatMoment(undoneAt, language, timeZone) }),
      facts: [
        formatMoment(mergedAt, language, timeZone),
        ...(mergedBy === null ? [] : [t('merging:by', { name: mergedBy })]),
      ],
      undoLabel: t('merging:undoOf', names),
    };
  }

  return (
    <HistoryList
      title={t('merging:past', { days: UNDO_DAYS })}
      list={usePastMerges()}
      failedToLoad={screenMessages.failedToLoadPast}
      none={t('merging:pastNone')}
      rowOf={rowOf}
      undoText={t('merging:undo')}
      onUndo={setAsked}
    >
      <ConfirmDelete
        title={t('merging:undoTitle')}
        question={asked && t('merging:undoQuestion', { name: asked.name, into: asked.into.name })}
        confirmText={t('merging:undo')}
        onConfirm={undo}
        onClose={() => setAsked(undefined)}
      />
    </HistoryList>
  );
}
