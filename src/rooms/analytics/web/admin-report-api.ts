import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/lib/call.ts';
import type { Period } from '../contract.ts';
import { getInKindRate, type InKindRate, matchInKind, updateInKindRate } from '../report-contract.ts';

const RATE = ['analytics', 'rate'] as const;

/** What an hour is worth; null until somebody says it. */
export function useInKindRate() {
  return useQuery({
    queryKey: RATE,
    queryFn: ({ signal }) => call(getInKindRate, { signal }),
    select: ({ rate }) => rate,
    staleTime: 0,
  });
}

/** What the hours of a period are worth, once there is a rate. */
export function useInKindMatch(period: Period, hasRate: boolean) {
  return useQuery({
    queryKey: ['analytics', 'in-kind', period],
    queryFn: ({ signal }) => call(matchInKind, { query: period, signal }),
    staleTime: 0,
    enabled: hasRate,
    placeholderData: keepPreviousData,
  });
}

/** Keeps a rate, by which everything is worth something else. */
export function useSaveInKindRate() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: InKindRate) => call(updateInKindRate, { body }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: RATE }),
        client.invalidateQueries({ queryKey: ['analytics', 'in-kind'] }),
      ]),
  });
}
