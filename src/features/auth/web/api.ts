import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useStartSession } from '#features/users/web/api.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { call } from '#web/api/call.ts';
import { endSession } from '#web/api/session.ts';
import { leaveWhenSettled } from '#web/ui/use-back-closes.ts';
import {
  changePassword,
  forgotPassword,
  login,
  logout,
  logoutElsewhere,
  resetPassword,
  verifyResetToken,
} from '../contract.ts';

/** Signs in and starts the session. If the account has two-factor authentication, only returns the challenge. */
export function useSignIn() {
  const start = useStartSession();
  return async (body: BodyOf<typeof login>): Promise<string | undefined> => {
    const reply = await call(login, { body });
    if ('next' in reply) return reply.challenge;
    start(reply);
    return undefined;
  };
}

/** Changes the signed-in user's password. The server ends the account's other sessions, so their list is refetched. */
export function usePasswordChange() {
  const client = useQueryClient();
  return async (body: BodyOf<typeof changePassword>) => {
    const reply = await call(changePassword, { body });
    void client.invalidateQueries({ queryKey: ['sessions'] });
    return reply;
  };
}

/**
 * Always signs out on this device; it also calls the server, so that the token becomes invalid everywhere. Users who signed in
 * with a provider also sign out there, if the provider supports it and the district has turned it on. While `isLoggingOut`, no
 * screen may be shown, because its requests would send the token that the server is ending. That lasts at most
 * LOGOUT_WAIT_MS; after that the user is signed out only here, and not at the provider.
 */
export function useLogout(hasProviders: boolean | undefined) {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    onMutate: () => client.cancelQueries(),
    mutationFn: () => {
      const options = { keepalive: true };
      const answered = hasProviders
        ? call(logoutElsewhere, options).then(({ to }) => to)
        : call(logout, options);
      // The request goes on, so that the server still ends the session if it gets it later.
      return Promise.race([answered, new Promise<undefined>((done) => setTimeout(done, LOGOUT_WAIT_MS))]);
    },
    onSettled: (to) => {
      endSession();
      if (to) void leaveWhenSettled(() => location.assign(to));
    },
  });
  return { logout: mutate, isLoggingOut: isPending };
}

const LOGOUT_WAIT_MS = 10_000;

/** The account of a reset link. Each link is verified only once. */
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

export const sendResetLink = (body: BodyOf<typeof forgotPassword>) => call(forgotPassword, { body });
