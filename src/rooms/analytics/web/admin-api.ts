import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '#web/lib/call.ts';
import { analyzeActivities, analyzeOverview, analyzeVolunteers, type Period } from '../contract.ts';

// Always asked for anew when the page opens; while another period is asked for, what was there before stays.
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

/** What each activity adds up to within a period. */
export function useActivityAnalytics(period: Period) {
  return useQuery(ofActivities(period));
}

/** The entries of a period from all sides. */
export function useOverview(period: Period) {
  return useQuery(ofAll(period));
}

/** Who gave the most hours, and who has stopped coming. */
export function useVolunteerAnalytics(period: Period) {
  return useQuery(ofVolunteers(period));
}
