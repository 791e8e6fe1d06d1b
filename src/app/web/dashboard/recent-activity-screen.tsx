import { type ComponentProps, useState } from 'react';
import type { District } from '#features/schools/district-settings/contract.ts';
import { YearGoal } from '#features/time-entries/goals/web/year-goal.tsx';
import { useRecentEntries } from '#features/time-entries/web/api.ts';
import { MonthTotals } from '#features/time-entries/web/month-totals.tsx';
import { RecentEntries } from '#features/time-entries/web/recent-activity.tsx';
import { useOwnVerifierRequests } from '#features/verification/external-verifiers/web/own-request-status.tsx';
import * as ownState from '#features/verification/web/own-verification-state.tsx';
import type { Id } from '#shared/id.ts';
import { lazyScreen, rows } from '#web/ui/lazy-screen.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';

const Household = lazyScreen(
  async () => (await import('#features/users/households/web/household.tsx')).Household,
);
const Statement = lazyScreen(
  async () => (await import('#features/reports/analytics/web/statement.tsx')).StatementScreen,
  rows(6),
);
const Letters = lazyScreen(
  async () => (await import('#features/reports/service-letters/web/own-service-letters.tsx')).OwnLetters,
  rows(6),
);

export type RecentActivityProps = Omit<
  ComponentProps<typeof RecentEntries>,
  'today' | 'timeZone' | 'onStatement' | 'onLetters' | 'verification'
> & {
  district: District;
};

/** Recent activity, or the statement of hours or service letters that replace it. */
export function RecentActivity({ district, ...recent }: RecentActivityProps) {
  const [shown, setShown] = useState<'statement' | 'letters'>();
  const { data: entries } = useRecentEntries(recent.school.id);
  const [verifyingSchool, setVerifyingSchool] = useState<Id>();
  const isVerifying = verifyingSchool === recent.school.id;
  // Stays set after the last entry is deleted, so the layout does not shift.
  if (!isVerifying && entries?.some(({ verification }) => verification !== null))
    setVerifyingSchool(recent.school.id);
  const asked = useOwnVerifierRequests(isVerifying);
  const onBack = () => setShown(undefined);
  if (shown === 'statement') return <Statement district={district} onBack={onBack} />;
  if (shown === 'letters') return <Letters school={recent.school} district={district} onBack={onBack} />;
  // Waits for the verification states too, so no row grows while the user is about to tap it.
  if (isVerifying && asked.isPending) return <SkeletonRows rows={6} isTall />;
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_340px] lg:gap-8">
      <RecentEntries
        {...recent}
        today={district.today}
        onStatement={() => setShown('statement')}
        onLetters={() => setShown('letters')}
        timeZone={district.timeZone}
        verification={isVerifying ? ownState : undefined}
      />
      <div className="flex flex-col gap-6 max-lg:contents print:hidden">
        {/* On a phone it is below the entries and hidden until they load, so nobody sees it pushed down. */}
        <div className={entries === undefined ? 'max-lg:invisible print:hidden' : 'print:hidden'}>
          <YearGoal />
        </div>
        <div className="print:hidden">
          <MonthTotals schoolId={recent.school.id} />
        </div>
        {/* Rendered after the entries, so the months above it don't push it down. */}
        {entries !== undefined && (
          <div className="print:hidden">
            <Household />
          </div>
        )}
      </div>
    </div>
  );
}
