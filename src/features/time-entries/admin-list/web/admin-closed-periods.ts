import { useQuery } from '@tanstack/react-query';
import { listSchools } from '#features/schools/admin-contract.ts';
import { closedBefore } from '#features/schools/closed-period.ts';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { call } from '#web/api/call.ts';
import { useCan } from '#web/api/permissions.ts';

/**
 * Whether a day's hours are closed at a school; no day is today. Until the school's terms are loaded, and for those who
 * may not read them, no day is: the server asks for the reason then.
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
