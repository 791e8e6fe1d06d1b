import { useState } from 'react';
import type { AdminTimeEntriesProps } from '#features/time-entries/admin-list/web/admin-time-entries.tsx';
import { lazyScreen, rows } from '#web/ui/lazy-screen.tsx';

type TimeEntriesProps = Omit<AdminTimeEntriesProps, 'onVerify' | 'onImport'> & {
  /** Whether to open the verification queue, as linked from an email. */
  isQueueFirst: boolean;
};

/** Loaded in the background while another tab is open. */
export const AdminTimeEntries = lazyScreen(
  async () => (await import('#features/time-entries/admin-list/web/admin-time-entries.tsx')).AdminTimeEntries,
  rows(8),
);
const VerificationQueue = lazyScreen(
  async () => (await import('#features/verification/web/admin-verification-queue.tsx')).VerificationQueue,
  rows(8),
);
const HoursImport = lazyScreen(
  async () => (await import('#features/imports/hours/web/admin-import-hours.tsx')).HoursImport,
  rows(8),
);

/** A school's time entries, or the verification queue or hours import that replaces them. */
export function TimeEntries({ isQueueFirst, ...props }: TimeEntriesProps) {
  const { school, filter, district } = props;
  const [isQueueOpen, setIsQueueOpen] = useState(isQueueFirst);
  const [isImport, setIsImport] = useState(false);
  if (isImport) {
    return <HoursImport school={school} timeZone={district.timeZone} onBack={() => setIsImport(false)} />;
  }
  return isQueueOpen && school !== undefined ? (
    <VerificationQueue
      school={school}
      timeZone={district.timeZone}
      aside={filter}
      onBack={() => setIsQueueOpen(false)}
    />
  ) : (
    <AdminTimeEntries {...props} onVerify={() => setIsQueueOpen(true)} onImport={() => setIsImport(true)} />
  );
}
