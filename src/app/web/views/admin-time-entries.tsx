import { type ComponentProps, useState } from 'react';
import { messages } from '#rooms/district/contract.ts';
import { AdminTimeEntries } from '#rooms/time-entries/web/admin-time-entries.tsx';
import type { VerifierDeskProps } from '#rooms/verification/web/admin-verifier-desk.tsx';
import { useText } from '#web/lib/text.ts';
import { usePart } from '#web/lib/use-part.ts';
import { ErrorBox } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';

type TimeEntriesProps = Omit<ComponentProps<typeof AdminTimeEntries>, 'onVerify'>;

/** A school's time entries, or the desk where they are verified in their place. */
export function TimeEntries(props: TimeEntriesProps) {
  const { school, filter, district } = props;
  const [isDesk, setIsDesk] = useState(false);
  return isDesk ? (
    <Desk
      school={school}
      today={district.today}
      timeZone={district.timeZone}
      aside={filter}
      onBack={() => setIsDesk(false)}
    />
  ) : (
    <AdminTimeEntries {...props} onVerify={() => setIsDesk(true)} />
  );
}

function Desk(props: VerifierDeskProps) {
  const { say } = useText();
  const part = usePart('verifier-desk', () => import('./admin-verifier-part.tsx'));
  if (part.data !== undefined) return <part.data.VerifierDesk {...props} />;
  return part.isError ? (
    <ErrorBox text={say(messages.failedToLoad)} onRetry={() => location.reload()} />
  ) : (
    <SkeletonRows rows={8} />
  );
}
