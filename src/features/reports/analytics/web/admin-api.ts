import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { analyzeActivities, analyzeOverview, analyzeVolunteers, type Period } from '../contract.ts';
import {
  getInKindRate,
  type InKindPeriod,
  type InKindRate,
  matchInKind,
  updateInKindRate,
} from '../report-contract.ts';

// Always refetched when the page opens; the previous data stays visible while another period loads.
const alwaysFresh = { staleTime: 0, placeholderData: keepPreviousData } as const;

/** Fetches the totals of each activity within a period. */
export function useActivityAnalytics(query: Period) {
  return useQuery({
    queryKey: ['analytics', 'activities', query],
    queryFn: ({ signal }) => call(analyzeActivities, { query, signal }),
    select: ({ activities }) => activities,
    ...alwaysFresh,
  });
}

/** Fetches all breakdowns of a period's entries. */
export function useOverview(query: Period) {
  return useQuery({
    queryKey: ['analytics', 'overview', query],
    queryFn: ({ signal }) => call(analyzeOverview, { query, signal }),
    ...alwaysFresh,
  });
}

/** Fetches the volunteers with the most hours, and the inactive ones. */
export function useVolunteerAnalytics(query: Period) {
  return useQuery({
    queryKey: ['analytics', 'volunteers', query],
    queryFn: ({ signal }) => call(analyzeVolunteers, { query, signal }),
    ...alwaysFresh,
  });
}

const RATE = ['analytics', 'rate'] as const;

/** Fetches the hourly rate, or null until an administrator enters it. */
export function useInKindRate() {
  return useQuery({
    queryKey: RATE,
    queryFn: ({ signal }) => call(getInKindRate, { signal }),
    select: ({ rate }) => rate,
    staleTime: 0,
  });
}

/** Fetches the value of a period's hours, once there is a rate. */
export function useInKindMatch(period: InKindPeriod, hasRate: boolean) {
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
