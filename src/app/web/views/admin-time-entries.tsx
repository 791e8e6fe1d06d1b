import { useState } from 'react';
import type { AdminTimeEntriesProps } from '#rooms/time-entries/web/admin-time-entries.tsx';
import { usePart } from '#web/lib/use-part.ts';
import { LoadedPart } from './loaded-part.tsx';
import { TabPart } from './tab-part.tsx';

type TimeEntriesProps = Omit<AdminTimeEntriesProps, 'onVerify' | 'onImport'> & {
  /** A letter led to the desk. */
  isDeskFirst: boolean;
};

export const TIME_ENTRIES = {
  name: 'admin-time-entries',
  load: () => import('./admin-time-entries-part.tsx'),
} as const;

/** A school's time entries, or in their place the desk where they are verified, or the import of hours. */
export function TimeEntries({ isDeskFirst, ...props }: TimeEntriesProps) {
  const { school, filter, district } = props;
  const [isDesk, setIsDesk] = useState(isDeskFirst);
  const [isImport, setIsImport] = useState(false);
  const desk = usePart('verifier-desk', () => import('./admin-verifier-part.tsx'), isDesk);
  const importing = usePart('hours-import', () => import('./admin-hours-import-part.tsx'), isImport);
  if (isImport) {
    return (
      <LoadedPart part={importing} rows={8}>
        {({ HoursImport }) => (
          <HoursImport school={school} timeZone={district.timeZone} onBack={() => setIsImport(false)} />
        )}
      </LoadedPart>
    );
  }
  return isDesk && school !== undefined ? (
    <LoadedPart part={desk} rows={8}>
      {({ VerifierDesk }) => (
        <VerifierDesk
          school={school}
          timeZone={district.timeZone}
          aside={filter}
          onBack={() => setIsDesk(false)}
        />
      )}
    </LoadedPart>
  ) : (
    <TabPart {...TIME_ENTRIES}>
      {({ AdminTimeEntries }) => (
        <AdminTimeEntries {...props} onVerify={() => setIsDesk(true)} onImport={() => setIsImport(true)} />
      )}
    </TabPart>
  );
}
