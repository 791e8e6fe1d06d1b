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

/** The configured providers. */
export function useProviders() {
  return useQuery({
    queryKey: ['public', 'providers'],
    queryFn: () => call(listProviders).then((reply) => reply.providers),
  });
}

/**
 * Exchanges the code of a callback for a session, once. A query rather than a mutation, because no further action of the user
 * is needed. Returns the next step with its challenge, or null if the session has started.
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

/** Links a provider account by password. Signs in, or returns the challenge of an account with a second factor. */
export function useLinking() {
  const start = useStartSession();
  return async (body: BodyOf<typeof linkProvider>) => {
    const reply = await call(linkProvider, { body });
    if ('next' in reply) return reply.challenge;
    start(reply);
    return undefined;
  };
}

/** The provider accounts linked to the viewer's own. */
export function useOwnProviders() {
  return useQuery({
    queryKey: ['own-providers'],
    queryFn: () => call(listOwnProviders).then((reply) => reply.providers),
    staleTime: 0,
  });
}

/** Removes a link, and refetches the list. */
export function useUnlink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => call(unlinkProvider, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['own-providers'] }),
  });
}
