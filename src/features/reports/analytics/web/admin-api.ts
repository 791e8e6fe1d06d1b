import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '#web/api/call.ts';
import { analyzeActivities, analyzeOverview, analyzeVolunteers, type Period } from '../contract.ts';

// Always refetched when the page opens; the previous data stays visible while another period loads.
const asked = { staleTime: 0, placeholderData: keepPreviousData } as const;

const ofActivities = (query: Period) =>
  queryOptions({
    queryKey: ['analytics', 'activities', query],
    queryFn: ({ signal }) => call(analyzeActivities, { query, signal }),
    select: ({ activities }) => activities,
    ...asked,
  });

const ofAll = (query: Period) =>
  queryOptions({
    queryKey: ['analytics', 'overview', query],
    queryFn: ({ signal }) => call(analyzeOverview, { query, signal }),
    ...asked,
  });

const ofVolunteers = (query: Period) =>
  queryOptions({
    queryKey: ['analytics', 'volunteers', query],
    queryFn: ({ signal }) => call(analyzeVolunteers, { query, signal }),
    ...asked,
  });

/** Totals of each activity within a period. */
export function useActivityAnalytics(period: Period) {
  return useQuery(ofActivities(period));
}

/** All breakdowns of a period's entries. */
export function useOverview(period: Period) {
  return useQuery(ofAll(period));
}

/** The volunteers with the most hours, and those who have stopped coming. */
export function useVolunteerAnalytics(period: Period) {
  return useQuery(ofVolunteers(period));
}
