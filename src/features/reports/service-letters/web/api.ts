import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { BodyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { listPages } from '#web/api/infinite-pages.ts';
import { issueLetter, listLetters, withdrawLetter } from '../contract.ts';

/** Fetches the letters about a user, by default the viewer, latest first. */
export function useLetters(userId: Id | undefined) {
  return useInfiniteQuery(
    listPages(['letters', userId ?? 'own'], listLetters, { userId }, (pages) =>
      pages.flatMap((page) => page.letters),
    ),
  );
}

/** Issues a letter. */
export function useIssueLetter() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof issueLetter>) => call(issueLetter, { body }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['letters'] }),
  });
}

/** Withdraws a letter. */
export function useWithdrawLetter() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: Id) => call(withdrawLetter, { params: { id } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: ['letters'] }),
  });
}
