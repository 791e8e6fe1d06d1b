import { useQuery } from '@tanstack/react-query';
import { listSchools } from '#features/schools/admin-contract.ts';
import { closedBefore } from '#features/schools/closed-period.ts';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { call } from '#web/api/call.ts';
import { useCan } from '#web/api/permissions.ts';

/**
 * Returns whether a day is in the school's closed period; null means today. False until the school's terms are loaded
 * and for users who cannot read them, because the server then asks for the reason.
 */
export function useIsClosed(
  school: Pick<PublicSchool, 'id' | 'name'> | undefined,
  today: CalendarDate,
): (date: string | null) => boolean {
  const { id, name } = school ?? {};
  const maySee = useCan()('see schools');
  const terms = useQuery({
    queryKey: ['admin', 'schools', 'terms', id, name],
    queryFn: ({ signal }) => call(listSchools, { query: { search: name }, signal }),
    select: ({ schools }) => schools.find((one) => one.id === id),
    enabled: maySee && school !== undefined,
  }).data;
  const limit = terms === undefined ? null : closedBefore(terms, today);
  return (date) => limit !== null && (date ?? today) < limit;
}
