import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf } from '#base/endpoint.ts';
import { call } from '#web/lib/call.ts';
import { endSession, startSession } from '#web/lib/session.ts';
import {
  getProfile,
  login,
  logout,
  register,
  resetPassword,
  type User,
  verifyResetToken,
} from '../contract.ts';

const profileQuery = (token: string) =>
  queryOptions({ queryKey: ['profile', token], queryFn: () => call(getProfile) });

/** Who is signed in. */
export function useProfile(token: string) {
  return useQuery({ ...profileQuery(token), select: (reply) => reply.user });
}

/** Signs in or registers: what the server answers starts the session, without asking for the profile again. */
export function useSignIn() {
  const client = useQueryClient();
  function start({ user, token }: { user: User; token: string }) {
    client.setQueryData(profileQuery(token).queryKey, { user });
    startSession(token);
  }
  return {
    signIn: async (body: BodyOf<typeof login>) => start(await call(login, { body })),
    register: async (body: BodyOf<typeof register>) => {
      const reply = await call(register, { body });
      // In the mode 'verify-email' nobody is signed in before the mailed link was opened.
      if ('token' in reply) start(reply);
      return reply.message;
    },
  };
}

/** Signs out here in any case; the server is told, so that the token is dead everywhere. */
export function useLogout() {
  const { mutate } = useMutation({ mutationFn: () => call(logout), onSettled: endSession });
  return mutate;
}

/** Whom a reset link belongs to. A link is asked about once. */
export function useResetLink(token: string) {
  return useQuery({
    queryKey: ['public', 'reset-link', token],
    queryFn: () => call(verifyResetToken, { params: { token } }).then((reply) => reply.user),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
}

export const setNewPassword = (body: BodyOf<typeof resetPassword>) => call(resetPassword, { body });
