import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { listSessions, signOutOf, signOutOthers } from '../contract.ts';

/** The account's sessions. */
export function useSessions() {
  return useQuery({
    queryKey: ['sessions'],
    queryFn: () => call(listSessions).then((reply) => reply.sessions),
    staleTime: 0,
  });
}

/** Ends one other session, or every other one without an id, and refetches the list. */
export function useSignOutElsewhere() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number | undefined) =>
      id === undefined ? call(signOutOthers) : call(signOutOf, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
}
