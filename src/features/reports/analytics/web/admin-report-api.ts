import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import {
  getInKindRate,
  type InKindRate,
  matchInKind,
  updateInKindRate,
  type WorthPeriod,
} from '../report-contract.ts';

const RATE = ['analytics', 'rate'] as const;

/** The hourly rate; null until somebody enters it. */
export function useInKindRate() {
  return useQuery({
    queryKey: RATE,
    queryFn: ({ signal }) => call(getInKindRate, { signal }),
    select: ({ rate }) => rate,
    staleTime: 0,
  });
}

/** The value of a period's hours, once there is a rate. */
export function useInKindMatch(period: WorthPeriod, hasRate: boolean) {
  return useQuery({
    queryKey: ['analytics', 'in-kind', period],
    queryFn: ({ signal }) => call(matchInKind, { query: period, signal }),
    staleTime: 0,
    enabled: hasRate,
    placeholderData: keepPreviousData,
  });
}

/** Saves the rate and updates every value that depends on it. */
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
