import { useQuery } from '@tanstack/react-query';
import { useStartSession } from '#features/users/web/api.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { call } from '#web/api/call.ts';
import { openSignInLink, requestSignInLink } from '../contract.ts';

export const sendSignInLink = (body: BodyOf<typeof requestSignInLink>) => call(requestSignInLink, { body });

/**
 * Signs in by an emailed link, once. A query rather than a mutation, because opening the link is all it takes. Returns the
 * challenge of a second factor if one is required.
 */
export function useMagicLink(token: string, onSignedIn: () => void) {
  const start = useStartSession();
  return useQuery({
    queryKey: ['public', 'mailed-link', token],
    queryFn: async () => {
      const reply = await call(openSignInLink, { body: { token } });
      if ('next' in reply) return reply.challenge;
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
