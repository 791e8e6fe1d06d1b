import { ArrowLeft, CheckCheck, Undo2 } from 'lucide-react';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { TimeEntry } from '#features/time-entries/contract.ts';
import { STATUSES, type Status } from '#features/time-entries/verification-status.ts';
import { STATUS_LABELS } from '#features/time-entries/web/verification-status-badge.tsx';
import { groupBy } from '#shared/group-by.ts';
import { formatHours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { failureText } from '#web/api/call.ts';
import { useCan } from '#web/api/permissions.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { EmptyList, ListTitle } from '#web/ui/admin/list-page.tsx';
import { Button } from '#web/ui/button.tsx';
import { FilterPills } from '#web/ui/filter-pills.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Progress } from '#web/ui/progress-bar.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { notify } from '#web/ui/toasts.ts';
import { useStable } from '#web/ui/use-stable-callback.ts';
import {
  type Decided,
  type Decision,
  type QueueTotals,
  useDecide,
  useVerificationQueue,
} from './admin-api.ts';
import { AdjustDialog, DeclineDialog, VerifyAllDialog } from './admin-verification-dialogs.tsx';
import {
  ALL_PENDING,
  countQueueFilters,
  VerificationFilterBar,
  type VerificationQueueFilters,
  verificationQueueParams,
} from './admin-verification-filter-bar.tsx';
import { groupEntries, isMarked, nextFocusKey } from './admin-verification-groups.ts';
import { type DecisionHandlers, queueFocusTargets, VerificationList } from './admin-verification-list.tsx';

export type VerificationQueueProps = {
  school: PublicSchool;
  /** The district's time zone. */
  timeZone: string;
  /** The school select. */
  aside: ReactNode;
  onBack: () => void;
};

/** The screen where a school's staff verify hours. */
export function VerificationQueue({ school, timeZone, aside, onBack }: VerificationQueueProps) {
  const { t } = useTranslation();
  const may = useCan();
  const [filters, setFilters] = useState(ALL_PENDING);
  const list = useVerificationQueue(school.id, filters);
  const decisions = useDecisions(school, filters, list.data?.entries ?? []);
  const isWaiting = filters.status === 'waiting';
  const mayDecide = may('verify hours', school.id);
  // Deferred, because rendering everything at once would block touches on a slow phone.
  const isThere = useDeferredValue(list.data !== undefined);
  const found = isThere ? list.data : undefined;
  const [isAsking, setIsAsking] = useState(false);
  const deciding = mayDecide ? decisions.deciding : undefined;
  return (
    <section className="flex flex-col gap-3">
      <div className="-ml-3">
        <Button kind="plain" icon={<ArrowLeft aria-hidden="true" className="size-5" />} onPress={onBack}>
          {t('verification:deskBack')}
        </Button>
      </div>
      <ListTitle
        title={t('verification:deskTitle')}
        total={useTotalLabel(filters.status, found)}
        aside={aside}
      />
      {list.isError && !list.isFetchNextPageError && (
        <QueryError text={t('verification:deskFailed')} query={list} />
      )}
      {!mayDecide && (
        <Notice>
          <p>{t('verification:deskReadOnly')}</p>
        </Notice>
      )}
      <FilterPills
        label={t('time-entries:stateFilter')}
        choices={STATUSES.map((status) => ({ value: status, text: t(STATUS_LABELS[status]) }))}
        value={filters.status}
        onChange={(status: Status) => setFilters({ ...filters, status })}
      />
      <VerificationFilterBar school={school} filters={filters} onChange={setFilters} />
      {deciding !== undefined && isWaiting && found !== undefined && found.total > 1 && (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            icon={<CheckCheck aria-hidden="true" className="size-5" />}
            onPress={() => setIsAsking(true)}
            isBusy={decisions.isBusy}
          >
            {t('verification:verifyAll', { count: found.total })}
          </Button>
        </div>
      )}
      <LastDecision decisions={decisions} />
      {found === undefined && !list.isError && <SkeletonRows rows={6} isTall />}
      {found !== undefined && found.entries.length === 0 && !list.isFetching && (
        <EmptyQueue filters={filters} onAll={() => setFilters({ ...ALL_PENDING, status: filters.status })} />
      )}
      {found !== undefined && found.entries.length > 0 && (
        <>
          <VerificationList
            entries={found.entries}
            timeZone={timeZone}
            isWaiting={isWaiting}
            deciding={deciding}
          />
          <ListEnd list={list} failure={t('verification:deskFailed')} />
        </>
      )}
      <VerifyAllDialog
        isOpen={isAsking}
        total={found?.total ?? 0}
        totalHours={found?.totalHours ?? 0}
        marked={list.hasNextPage ? undefined : found?.entries.filter(isMarked).length}
        onAll={async (seen) => {
          await decisions.verifyAll(seen, () => list.refetch());
          setIsAsking(false);
        }}
        onUnmarked={async () => {
          await decisions.decide(
            'verify',
            (found?.entries ?? []).filter((entry) => !isMarked(entry)),
          );
          setIsAsking(false);
        }}
        onClose={() => setIsAsking(false)}
      />
      <AdjustDialog
        entry={decisions.adjusting}
        onAdjust={(entry, hours) => decisions.decide('verify', [entry], { hours })}
        onClose={decisions.close}
      />
      <DeclineDialog
        entries={decisions.declining}
        onDecline={(entries, reason) => decisions.decide('decline', entries, { reason })}
        onClose={decisions.close}
      />
    </section>
  );
}

const AFTER_DIALOG_MS = 250;

type Decisions = ReturnType<typeof useDecisions>;

/** The actions of the verification queue, their progress, and the last decision. */
function useDecisions(
  school: PublicSchool,
  filters: VerificationQueueFilters,
  entries: readonly TimeEntry[],
) {
  const { t } = useTranslation();
  const decider = useDecide();
  const [adjusting, setAdjusting] = useState<TimeEntry>();
  const [declining, setDeclining] = useState<readonly TimeEntry[]>();
  const [isBusy, setIsBusy] = useState(false);
  const [last, setLast] = useState<{ what: string; batches: readonly Id[] }>();
  function close() {
    setAdjusting(undefined);
    setDeclining(undefined);
  }

  function notifyDecision(decision: Decision, { changed, skipped, batches }: Decided) {
    const what = t(DONE_LABELS[decision], { count: changed });
    const undo = batches.length === 0 ? {} : { undo: () => void undoLast(batches) };
    setLast(batches.length === 0 ? undefined : { what, batches });
    if (changed > 0) notify.success(what, undo);
    for (const [why, same] of groupBy(skipped, (one) => one.why)) {
      notify.failure(t('verification:skipped', { count: same.length, why }));
    }
  }

  async function undoLast(batches: readonly Id[]) {
    setLast(undefined);
    try {
      notify.success(await decider.undo(batches));
    } catch (error) {
      notify.failure(failureText(error));
    }
    listTitle.focus();
  }

  async function whileBusy(work: () => Promise<void>) {
    setIsBusy(true);
    try {
      await work();
    } finally {
      setIsBusy(false);
    }
  }

  // The pressed button disappears with its row, so the next row takes the focus.
  async function decide(
    decision: Decision,
    decided: readonly TimeEntry[],
    more: { hours?: number; reason?: string } = {},
  ) {
    const next = nextFocusKey(groupEntries(entries), decided);
    const isDialog = more.hours !== undefined || more.reason !== undefined;
    await whileBusy(async () => notifyDecision(decision, await decider.entries(decision, decided, more)));
    close();
    // Runs after the closing dialog has returned the focus to a button that is gone by now.
    setTimeout(
      () => (next !== undefined && queueFocusTargets(next).focus()) || listTitle.focus(),
      isDialog ? AFTER_DIALOG_MS : 0,
    );
  }

  function press(decision: Decision, decided: readonly TimeEntry[]) {
    decide(decision, decided).catch((error: unknown) => notify.failure(failureText(error)));
  }

  async function verifyAll(seen: QueueTotals, reload: () => Promise<unknown>) {
    try {
      await whileBusy(async () =>
        notifyDecision('verify', await decider.all(verificationQueueParams(filters, school.id), seen)),
      );
      setTimeout(listTitle.focus);
    } catch (error) {
      await reload();
      throw error;
    }
  }

  const pressed = useStable(press);
  // Memoized, so that the rows are not rendered again while nothing changes.
  const deciding = useMemo<DecisionHandlers>(
    () => ({
      onVerify: (decided) => pressed('verify', decided),
      onAdjust: setAdjusting,
      onDecline: setDeclining,
      onReopen: (decided) => pressed('reopen', decided),
      isBusy,
    }),
    [pressed, isBusy],
  );
  return {
    deciding,
    decide,
    verifyAll,
    adjusting,
    declining,
    close,
    isBusy,
    last,
    undoLast,
    progress: decider.progress,
  };
}

// The notice with Undo closes soon, so the last decision stays here until the next one.
function LastDecision({ decisions: { last, undoLast, progress } }: { decisions: Decisions }) {
  const { t, language } = useTranslation();
  if (progress !== undefined) {
    const message = t('verification:decidingPart', {
      done: formatCount(progress.done, language),
      count: progress.of,
    });
    return (
      <div className="flex flex-col gap-1.5">
        <p role="status" className="figures text-soft">
          {message}
        </p>
        <Progress label={message} share={progress.done / progress.of} />
      </div>
    );
  }
  if (last === undefined) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-soft">
      <span>{last.what}.</span>
      <Button
        kind="plain"
        icon={<Undo2 aria-hidden="true" className="size-5" />}
        label={t('verification:undoLast', { what: last.what })}
        onPress={() => void undoLast(last.batches)}
      >
        {t('web:undo')}
      </Button>
      <span className="text-sm">{t('verification:undoLasts')}</span>
    </div>
  );
}

function EmptyQueue({ filters, onAll }: { filters: VerificationQueueFilters; onAll: () => void }) {
  const { t } = useTranslation();
  const isNarrowed = countQueueFilters(filters) > 0;
  if (isNarrowed) {
    return (
      <EmptyList
        text={t('verification:deskNoneMatch')}
        action={<Button onPress={onAll}>{t('time-entries:showAll')}</Button>}
      />
    );
  }
  return (
    <EmptyList
      text={t(filters.status === 'waiting' ? 'verification:deskNone' : 'time-entries:noneInState')}
    />
  );
}

function useTotalLabel(status: Status, found: { total: number; totalHours: number } | undefined) {
  const { t, language } = useTranslation();
  if (found === undefined) return undefined;
  return t(TOTAL_LABELS[status], { count: found.total, hours: formatHours(found.totalHours, language) });
}

const TOTAL_LABELS = {
  waiting: 'verification:deskWaiting',
  verified: 'verification:deskVerified',
  declined: 'verification:deskDeclined',
} as const satisfies Record<Status, MessageKey>;

const DONE_LABELS = {
  verify: 'verification:didVerify',
  decline: 'verification:didDecline',
  reopen: 'verification:didReopen',
} as const satisfies Record<Decision, MessageKey>;
