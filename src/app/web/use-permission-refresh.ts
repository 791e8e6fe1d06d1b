import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { getProfile, User } from '#features/users/contract.ts';
import type { ReplyOf } from '#shared/endpoint.ts';
import { CallError } from '#web/api/call.ts';
import { refreshEverything } from '#web/api/list-cache.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { notify } from '#web/ui/toasts.ts';
import { hasPanel } from './navigation.ts';

/**
 * Refetches the profile when the server denies a request, because a role may have been removed or moved to another school. If
 * the roles changed, shows a notice, and calls `onGone` if no role is left.
 */
export function usePermissionRefresh(user: User, onGone: () => void): void {
  const client = useQueryClient();
  const { t } = useTranslation();
  const isDenied = useEffectEvent((error: unknown) => {
    const isDistricts = user.role === 'admin';
    return error instanceof CallError && (error.status === 403 || (error.status === 404 && !isDistricts));
  });
  const compare = useEffectEvent((now: User) => {
    if (rolesAsText(now) === rolesAsText(user)) return;
    const isLeft = hasPanel(now);
    notify.failure(t(isLeft ? 'web:rightsChanged' : 'web:rightsGone'));
    // Deferred until the screen has changed. Unsaved input in the panel is gone by then, so don't ask about it.
    setTimeout(() => {
      if (isLeft) void refreshEverything(client);
      else {
        client.removeQueries({ queryKey: ['admin'] });
        onGone();
      }
    });
  });
  useEffect(() => {
    const look = (error: unknown) => {
      if (isDenied(error)) void client.refetchQueries({ queryKey: PROFILE });
    };
    const ends = [
      client.getQueryCache().subscribe(({ type, query, ...event }) => {
        if (type !== 'updated' || !('action' in event)) return;
        const isProfile = query.queryKey[0] === PROFILE[0];
        if (event.action.type === 'error' && !isProfile) look(event.action.error);
        if (event.action.type === 'success' && isProfile) compare((query.state.data as Profile).user);
      }),
      client.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') look(event.action.error);
      }),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [client]);
}

const PROFILE = ['profile'];
type Profile = ReplyOf<typeof getProfile>;

function rolesAsText({ role, grants }: User): string {
  return [role, ...grants.map((grant) => `${grant.role} ${grant.school?.id}`).toSorted()].join();
}
