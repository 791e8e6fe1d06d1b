import { useState } from 'react';
import type { AdminTimeEntriesProps } from '#rooms/time-entries/web/admin-time-entries.tsx';
import { usePart } from '#web/lib/use-part.ts';
import { LoadedPart } from './loaded-part.tsx';

type TimeEntriesProps = Omit<AdminTimeEntriesProps, 'onVerify'> & {
  /** A letter led to the desk. */
  isDeskFirst: boolean;
};

/** A school's time entries, or the desk where they are verified in their place. */
export function TimeEntries({ isDeskFirst, ...props }: TimeEntriesProps) {
  const { school, filter, district } = props;
  const [isDesk, setIsDesk] = useState(isDeskFirst);
  const list = useTimeEntriesPart();
  const desk = usePart('verifier-desk', () => import('./admin-verifier-part.tsx'), isDesk);
  return isDesk && school !== undefined ? (
    <LoadedPart part={desk} rows={8}>
      {({ VerifierDesk }) => (
        <VerifierDesk
          school={school}
          today={district.today}
          timeZone={district.timeZone}
          aside={filter}
          onBack={() => setIsDesk(false)}
        />
      )}
    </LoadedPart>
  ) : (
    <LoadedPart part={list} rows={8}>
      {({ AdminTimeEntries }) => <AdminTimeEntries {...props} onVerify={() => setIsDesk(true)} />}
    </LoadedPart>
  );
}

/** Starts loading the tab before it is opened. */
export function useTimeEntriesPart() {
  return usePart('admin-time-entries', () => import('./admin-time-entries-part.tsx'));
}
