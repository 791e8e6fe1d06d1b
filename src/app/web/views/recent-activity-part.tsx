import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import type { District } from '#rooms/district/contract.ts';
import { YearGoal } from '#rooms/goals/web/year-goal.tsx';
import { useRecentEntries } from '#rooms/time-entries/web/api.ts';
import { MonthTotals } from '#rooms/time-entries/web/month-totals.tsx';
import { RecentEntries } from '#rooms/time-entries/web/recent-entries.tsx';
import { usePart } from '#web/lib/use-part.ts';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { LoadedPart } from './loaded-part.tsx';

export type RecentActivityProps = Omit<
  ComponentProps<typeof RecentEntries>,
  'today' | 'timeZone' | 'onStatement' | 'onLetters' | 'verification'
> & {
  district: District;
};

/** Recent activity, or the statement of hours or the service letters in its place. */
export function RecentActivity({ district, ...recent }: RecentActivityProps) {
  const [shown, setShown] = useState<'statement' | 'letters'>();
  const { data: entries } = useRecentEntries(recent.school.id);
  const isVerifying = entries?.some(({ verification }) => verification !== null) ?? false;
  const client = useQueryClient();
  const part = usePart('verification', () => loadVerification(client), isVerifying);
  // After the entries, so that the months above it do not push it down.
  const household = usePart('household', () => import('./household-part.tsx'), entries !== undefined);
  const onBack = () => setShown(undefined);
  if (shown === 'statement') return <StatementPart district={district} onBack={onBack} />;
  if (shown === 'letters') return <LettersPart school={recent.school} district={district} onBack={onBack} />;
  // The states of the entries come with the entries, so that no row grows under a finger.
  if (isVerifying && part.isPending) return <SkeletonRows rows={6} isTall />;
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_340px] lg:gap-8">
      <RecentEntries
        {...recent}
        today={district.today}
        onStatement={() => setShown('statement')}
        onLetters={() => setShown('letters')}
        timeZone={district.timeZone}
        verification={part.data}
        {...(recent.user.role === 'admin' ? {} : { loadCalendar: () => import('./entry-calendar-part.ts') })}
      />
      <div className="flex flex-col gap-6 max-lg:contents print:hidden">
        {/* On a phone it stands below the entries, and is not seen being pushed down by them. */}
        <div className={entries === undefined ? 'max-lg:invisible print:hidden' : 'print:hidden'}>
          <YearGoal />
        </div>
        <div className="print:hidden">
          <MonthTotals schoolId={recent.school.id} />
        </div>
        {household.data !== undefined && (
          <div className="print:hidden">
            <household.data.Household />
          </div>
        )}
      </div>
    </div>
  );
}

async function loadVerification(client: QueryClient) {
  const part = await import('./verification-part.tsx');
  await part.loadOwnAsked(client);
  return part;
}

type PartProps = { district: District; onBack: () => void };

function StatementPart(props: PartProps) {
  const part = usePart('statement', () => import('./statement-part.tsx'));
  return (
    <LoadedPart part={part} rows={6}>
      {({ StatementScreen }) => <StatementScreen {...props} />}
    </LoadedPart>
  );
}

function LettersPart(props: PartProps & Pick<RecentActivityProps, 'school'>) {
  const part = usePart('letters', () => import('./letters-part.tsx'));
  return (
    <LoadedPart part={part} rows={6}>
      {({ OwnLetters }) => <OwnLetters {...props} />}
    </LoadedPart>
  );
}
