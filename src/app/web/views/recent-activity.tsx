import { type ComponentProps, useState } from 'react';
import type { District } from '#rooms/district/contract.ts';
import { messages } from '#rooms/district/contract.ts';
import { RecentEntries } from '#rooms/time-entries/web/recent-entries.tsx';
import { useText } from '#web/lib/text.ts';
import { usePart } from '#web/lib/use-part.ts';
import { ErrorBox } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';

type RecentActivityProps = Omit<ComponentProps<typeof RecentEntries>, 'today' | 'onStatement'> & {
  district: District;
};

/** Recent activity, or the statement of hours in its place. */
export function RecentActivity({ district, ...recent }: RecentActivityProps) {
  const [isStatement, setIsStatement] = useState(false);
  return isStatement ? (
    <StatementPart district={district} onBack={() => setIsStatement(false)} />
  ) : (
    <RecentEntries {...recent} today={district.today} onStatement={() => setIsStatement(true)} />
  );
}

function StatementPart(props: { district: District; onBack: () => void }) {
  const { say } = useText();
  const part = usePart('statement', () => import('./statement-part.tsx'));
  if (part.data !== undefined) return <part.data.StatementScreen {...props} />;
  return part.isError ? (
    <ErrorBox text={say(messages.failedToLoad)} onRetry={() => location.reload()} />
  ) : (
    <SkeletonRows rows={6} />
  );
}
