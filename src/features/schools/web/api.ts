import { useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { listPublicSchools } from '../contract.ts';

/** Fetches every school by name, for any user. */
export function usePublicSchools(isNeeded = true) {
  return useQuery({
    enabled: isNeeded,
    queryKey: ['public', 'schools'],
    queryFn: () => call(listPublicSchools).then((reply) => reply.schools),
  });
}
