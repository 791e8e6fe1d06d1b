import { ArrowLeft, CheckCheck, Undo2 } from 'lucide-react';
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { TimeEntry } from '#features/time-entries/contract.ts';
import { STATUSES, type Status } from '#features/time-entries/verification-status.ts';
import { STATUS_LABELS } from '#features/time-entries/web/verification-status-badge.tsx';
import { formatHours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { failureText, withReason } from '#web/api/call.ts';
import { useCan } from '#web/api/permissions.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { EmptyList, ListTitle } from '#web/ui/admin/list-page.tsx';
import { Button } from '#web/ui/button.tsx';
import { FilterPills } from '#web/ui/filter-pills.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { ErrorBox, Notice } from '#web/ui/notice.tsx';
import { Progress } from '#web/ui/progress-bar.tsx';
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
import { groupsOf, isMarked, nextFocusKey } from './admin-verification-groups.ts';
import { type Deciding, DeskList, queueFocusTargets } from './admin-verification-list.tsx';

export type VerificationQueueProps = {
  school: PublicSchool;
  /** The district's. */
  timeZone: string;
  /** The school select. */
  aside: ReactNode;
  onBack: () => void;
};

/** The desk where a school's staff say of hours that they are right. */
export function VerificationQueue({ school, timeZone, aside, onBack }: VerificationQueueProps) {
  const { t } = useTranslation();
  const may = useCan();
  const [filters, setFilters] = useState(ALL_PENDING);
  const list = useVerificationQueue(school.id, filters);
  const desk = useDesk(school, filters, list.data?.entries ?? []);
  const isWaiting = filters.status === 'waiting';
  const mayDecide = may('verify hours', school.id);
  // Drawn in slices when it comes: in one piece it would keep a slow phone from answering a touch.
  const isThere = useDeferredValue(list.data !== undefined);
  const found = isThere ? list.data : undefined;
  const [isAsking, setIsAsking] = useState(false);
  const deciding = mayDecide ? desk.deciding : undefined;
  return (
    <section className="flex flex-col gap-3">
      <div className="-ml-3">
        <Button kind="plain" icon={<ArrowLeft aria-hidden="true" className="size-5" />} onPress={onBack}>
          {t('verification:deskBack')}
        </Button>
      </div>
      <ListTitle title={t('verification:deskTitle')} total={useTotal(filters.status, found)} aside={aside} />
      {list.isError && !list.isFetchNextPageError && (
        <ErrorBox
          {...withReason(t('verification:deskFailed'), list.error)}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
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
            isBusy={desk.isBusy}
          >
            {t('verification:verifyAll', { count: found.total })}
          </Button>
        </div>
      )}
      <LastDecision desk={desk} />
      {found === undefined && !list.isError && <SkeletonRows rows={6} isTall />}
      {found !== undefined && found.entries.length === 0 && !list.isFetching && (
        <NothingHere filters={filters} onAll={() => setFilters({ ...ALL_PENDING, status: filters.status })} />
      )}
      {found !== undefined && found.entries.length > 0 && (
        <>
          <DeskList entries={found.entries} timeZone={timeZone} isWaiting={isWaiting} deciding={deciding} />
          <ListEnd
            hasMore={list.hasNextPage}
            isLoading={list.isFetchingNextPage}
            failure={list.isFetchNextPageError ? t('verification:deskFailed') : undefined}
            onMore={() => void list.fetchNextPage()}
          />
        </>
      )}
      <VerifyAllDialog
        isOpen={isAsking}
        total={found?.total ?? 0}
        totalHours={found?.totalHours ?? 0}
        marked={list.hasNextPage ? undefined : found?.entries.filter(isMarked).length}
        onAll={async (seen) => {
          await desk.verifyAll(seen, () => list.refetch());
          setIsAsking(false);
        }}
        onUnmarked={async () => {
          await desk.decide(
            'verify',
            (found?.entries ?? []).filter((entry) => !isMarked(entry)),
          );
          setIsAsking(false);
        }}
        onClose={() => setIsAsking(false)}
      />
      <AdjustDialog
        entry={desk.adjusting}
        onAdjust={(entry, hours) => desk.decide('verify', [entry], { hours })}
        onClose={desk.close}
      />
      <DeclineDialog
        entries={desk.declining}
        onDecline={(entries, reason) => desk.decide('decline', entries, { reason })}
        onClose={desk.close}
      />
    </section>
  );
}

const AFTER_DIALOG_MS = 250;

type Desk = ReturnType<typeof useDesk>;

/** What can be done at the desk, what is being done, and what was done last. */
function useDesk(school: PublicSchool, filters: VerificationQueueFilters, entries: readonly TimeEntry[]) {
  const { t } = useTranslation();
  const work = useDecide();
  const [adjusting, setAdjusting] = useState<TimeEntry>();
  const [declining, setDeclining] = useState<readonly TimeEntry[]>();
  const [busy, setBusy] = useState(0);
  const [last, setLast] = useState<{ what: string; batches: readonly Id[] }>();
  function close() {
    setAdjusting(undefined);
    setDeclining(undefined);
  }

  function tell(decision: Decision, { changed, skipped, batches }: Decided) {
    const what = t(DID[decision], { count: changed });
    const undo = batches.length === 0 ? {} : { undo: () => void undoLast(batches) };
    setLast(batches.length === 0 ? undefined : { what, batches });
    if (changed > 0) notify.success(what, undo);
    for (const [why, same] of Map.groupBy(skipped, (one) => one.why)) {
      notify.failure(t('verification:skipped', { count: same.length, why }));
    }
  }

  async function undoLast(batches: readonly Id[]) {
    setLast(undefined);
    try {
      notify.success(await work.undo(batches));
    } catch (error) {
      notify.failure(failureText(error));
    }
    listTitle.focus();
  }

  async function during(deed: () => Promise<void>) {
    setBusy(1);
    try {
      await deed();
    } finally {
      setBusy(0);
    }
  }

  // The button that was pressed leaves with its row, so the next row takes the focus.
  async function decide(
    decision: Decision,
    decided: readonly TimeEntry[],
    more: { hours?: number; reason?: string } = {},
  ) {
    const next = nextFocusKey(groupsOf(entries), decided);
    const isDialog = more.hours !== undefined || more.reason !== undefined;
    await during(async () => tell(decision, await work.entries(decision, decided, more)));
    close();
    // After a dialog has given the focus back to a button that is gone by now.
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
      await during(async () =>
        tell('verify', await work.all(verificationQueueParams(filters, school.id), seen)),
      );
      setTimeout(listTitle.focus);
    } catch (error) {
      await reload();
      throw error;
    }
  }

  const isBusy = busy > 0;
  const pressed = useStable(press);
  // The same while nothing changes, so that the rows are not drawn again.
  const deciding = useMemo<Deciding>(
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
    progress: work.progress,
  };
}

// The notice with Undo closes soon, so what was done last stays here until the next decision.
function LastDecision({ desk: { last, undoLast, progress } }: { desk: Desk }) {
  const { t, language } = useTranslation();
  if (progress !== undefined) {
    const said = t('verification:decidingPart', {
      done: formatCount(progress.done, language),
      count: progress.of,
    });
    return (
      <div className="flex flex-col gap-1.5">
        <p role="status" className="figures text-soft">
          {said}
        </p>
        <Progress label={said} share={progress.done / progress.of} />
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

function NothingHere({ filters, onAll }: { filters: VerificationQueueFilters; onAll: () => void }) {
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

function useTotal(status: Status, found: { total: number; totalHours: number } | undefined) {
  const { t, language } = useTranslation();
  if (found === undefined) return undefined;
  return t(TOTALS[status], { count: found.total, hours: formatHours(found.totalHours, language) });
}

const TOTALS = {
  waiting: 'verification:deskWaiting',
  verified: 'verification:deskVerified',
  declined: 'verification:deskDeclined',
} as const satisfies Record<Status, MessageKey>;

const DID = {
  verify: 'verification:didVerify',
  decline: 'verification:didDecline',
  reopen: 'verification:didReopen',
} as const satisfies Record<Decision, MessageKey>;
