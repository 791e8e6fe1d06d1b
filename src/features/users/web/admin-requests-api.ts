import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import type { BodyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { listPages, totalOf } from '#web/api/infinite-pages.ts';
import { useDecision } from '#web/api/list-cache.ts';
import { resendInvite } from '../admin-contract.ts';
import {
  approveMembership,
  createInvite,
  declineMembership,
  type Grants,
  listInvites,
  listPendingMemberships,
  type PendingMembership,
  revokeInvite,
} from '../contract.ts';

/** People waiting for approval to join a school, oldest request first. */
export function usePendingMemberships(search: string) {
  return useInfiniteQuery({
    ...listPages(['admin', 'memberships', search], listPendingMemberships, { search }, (pages) => ({
      memberships: pages.flatMap((page) => page.memberships),
      total: totalOf(pages),
    })),
    placeholderData: keepPreviousData,
  });
}

/** Invitations, newest first: the open ones, or all. */
export function useInvites(search: string, status: 'open' | 'all') {
  return useInfiniteQuery({
    ...listPages(['admin', 'invites', status, search], listInvites, { status, search }, (pages) => ({
      invites: pages.flatMap((page) => page.invites),
      total: totalOf(pages),
    })),
    placeholderData: keepPreviousData,
  });
}

type Decided = { isApproved: boolean; of: PendingMembership; grants?: z.infer<typeof Grants> };

export function useDecideMembership() {
  return useDecision(({ isApproved, of, grants }: Decided) =>
    call(isApproved ? approveMembership : declineMembership, {
      // If the address is unconfirmed, the screen has already asked for confirmation.
      body: { userId: of.user.id, schoolId: of.school.id, unconfirmed: !of.isEmailConfirmed, grants },
    }),
  );
}

export function useSendInvite() {
  return useDecision((body: BodyOf<typeof createInvite>) => call(createInvite, { body }));
}

export function useResendInvite() {
  return useDecision((id: Id) => call(resendInvite, { params: { id } }));
}

export function useWithdrawInvite() {
  return useDecision((id: Id) => call(revokeInvite, { params: { id } }));
}
