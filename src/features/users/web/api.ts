import { queryOptions, useIsFetching, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf } from '#shared/endpoint.ts';
import { call, isRejected } from '#web/api/call.ts';
import { dropToken, getToken, startSession } from '#web/api/session.ts';
import { getProfile, register, type User, updateProfile, verifyEmail, verifyInvite } from '../contract.ts';

const profileQuery = (token: string) =>
  queryOptions({
    queryKey: ['profile', token],
    queryFn: async () => {
      try {
        return await call(getProfile);
      } catch (error) {
        // A token that the server rejects here is no longer valid.
        if (isRejected(error)) dropToken(token);
        throw error;
      }
    },
  });

/** The signed-in user. */
export function useProfile(token: string) {
  return useQuery({ ...profileQuery(token), select: (reply) => reply.user });
}

/** Refetches the profile, for example to check whether a school has approved the user meanwhile. */
export function useProfileRefresh() {
  const client = useQueryClient();
  return {
    isBusy: useIsFetching({ queryKey: ['profile'] }) > 0,
    refresh: () => client.refetchQueries({ queryKey: ['profile'] }),
  };
}

/** Starts the session of a reply without requesting the profile again. */
export function useStartSession() {
  const client = useQueryClient();
  return ({ user, token }: { user: User; token: string }) => {
    client.setQueryData(profileQuery(token).queryKey, { user });
    startSession(token);
  };
}

/** Registers a user and starts the session; in mode 'verify-email' there is no session yet. */
export function useRegister() {
  const start = useStartSession();
  /** `onMade` is called when the account exists, before its session starts; never in mode 'verify-email'. */
  return async (body: BodyOf<typeof register>, onMade?: () => void) => {
    const reply = await call(register, { body });
    if (!('token' in reply)) return { isSignedIn: false, message: reply.message };
    onMade?.();
    start(reply);
    return { isSignedIn: true, message: reply.message };
  };
}

/**
 * Confirms an address by an emailed link, or returns the registration that still needs a password. A query rather than a
 * mutation, because no further action of the user is needed.
 */
export function useConfirmedEmail(token: string) {
  return useQuery({
    queryKey: ['public', 'confirmed-email', token],
    queryFn: () => call(verifyEmail, { body: { token } }),
    ...ONCE,
  });
}

/** Creates the account of a registration with the chosen password; returns the server's message. */
export async function finishRegistration(body: BodyOf<typeof verifyEmail>): Promise<string> {
  const reply = await call(verifyEmail, { body });
  return 'message' in reply ? reply.message : '';
}

/** The invitation of a code. */
export function useInvite(code: string) {
  return useQuery({
    queryKey: ['public', 'invite', code],
    queryFn: () => call(verifyInvite, { params: { code } }).then((reply) => reply.invite),
    ...ONCE,
  });
}

// Requested only once, and again only when the user presses 'Try again' after a failure.
const ONCE = {
  staleTime: Number.POSITIVE_INFINITY,
  retry: false,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

/**
 * Returns a function that puts the account of a reply into the cached profile, so that every screen updates. It returns the
 * reply.
 */
export function useVisibleAccount() {
  const client = useQueryClient();
  return function show<Reply extends { user: User }>(reply: Reply): Reply {
    const token = getToken();
    if (token !== null) client.setQueryData(profileQuery(token).queryKey, { user: reply.user });
    return reply;
  };
}

/** Changes to one's own account, which every screen then shows. */
export function useProfileUpdate() {
  const show = useVisibleAccount();
  return async (body: BodyOf<typeof updateProfile>) => show(await call(updateProfile, { body }));
}
