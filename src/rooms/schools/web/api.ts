import { useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/call.ts';
import { listPublicSchools } from '../contract.ts';

/** Every school: for whoever registers, and for administrators who belong to none. */
export function usePublicSchools(isNeeded = true) {
  return useQuery({
    enabled: isNeeded,
    queryKey: ['public', 'schools'],
    queryFn: () => call(listPublicSchools).then((reply) => reply.schools),
  });
}
