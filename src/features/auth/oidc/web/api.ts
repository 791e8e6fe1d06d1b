import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useStartSession } from '#features/users/web/api.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { call } from '#web/api/call.ts';
import {
  exchangeSignIn,
  linkProvider,
  listOwnProviders,
  listProviders,
  unlinkProvider,
} from '../contract.ts';

/** The services that people sign in with. */
export function useProviders() {
  return useQuery({
    queryKey: ['public', 'providers'],
    queryFn: () => call(listProviders).then((reply) => reply.providers),
  });
}

/**
 * The session of somebody back from a service, once: a query, because coming back is all it takes. It gives what is asked
 * for next, with its challenge, or null when the session has begun.
 */
export function useExchange(code: string, onSignedIn: () => void) {
  const start = useStartSession();
  return useQuery({
    queryKey: ['public', 'exchange', code],
    queryFn: async () => {
      const reply = await call(exchangeSignIn, { body: { code } });
      if ('next' in reply) return reply;
      start(reply);
      onSignedIn();
      return null;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** Links by the password, and signs in, or gives the challenge of an account that also asks for a second proof. */
export function useLinking() {
  const start = useStartSession();
  return async (body: BodyOf<typeof linkProvider>) => {
    const reply = await call(linkProvider, { body });
    if ('next' in reply) return reply.challenge;
    start(reply);
    return undefined;
  };
}

/** The accounts elsewhere that open one's own. */
export function useOwnProviders() {
  return useQuery({
    queryKey: ['own-providers'],
    queryFn: () => call(listOwnProviders).then((reply) => reply.providers),
    staleTime: 0,
  });
}

/** Ends a link, and refetches the list. */
export function useUnlink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(unlinkProvider, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['own-providers'] }),
  });
}
