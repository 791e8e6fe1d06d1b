import type { InfiniteData, Query, QueryClient, QueryKey } from '@tanstack/react-query';
import type { District } from '#features/schools/district-settings/contract.ts';
import { districtQuery } from '#features/schools/district-settings/web/api.ts';
import type { listTimeEntries } from '#features/time-entries/contract.ts';
import type { User } from '#features/users/contract.ts';
import { addDays, dayIn, daysBetween, deviceNow, instantOf } from '#shared/calendar-date.ts';
import type { ReplyOf } from '#shared/endpoint.ts';
import type { CachedList } from '#web/offline/cached-lists.ts';

/**
 * Decides what a device caches for logging hours without a connection: the profile (without its session token), the district,
 * the activities of a school, the photo rules, and the user's own entries. Other people's data, visible through a role, is
 * never cached.
 */
export function cachedListOf(user: User, { queryKey, state }: Query): CachedList | undefined {
  const [feature, what] = queryKey;
  if (feature === 'profile') return { key: ['profile'], shown: state.data };
  if (feature === 'activities' && typeof what === 'number') return { key: queryKey, shown: state.data };
  if (feature === 'public' && what === 'district') return { key: queryKey, shown: withOffset(state) };
  if (feature === 'photos' && what === 'rules') return { key: queryKey, shown: state.data };
  if (feature !== 'time-entries') return undefined;
  if (what === 'recent') return { key: queryKey, shown: ownFirstPage(user, state.data as Pages) };
  const seesOthers = user.role === 'admin' || user.grants.length > 0;
  return what === 'most-active' && !seesOthers ? { key: queryKey, shown: state.data } : undefined;
}

/** Returns the query key of a cached list in the session of `token`. */
export function cachedListKey(token: string, name: QueryKey): QueryKey {
  return name[0] === 'profile' ? ['profile', token] : name;
}

/**
 * Sets today's date by the device's clock while the server can't provide it. Corrects it by the offset that the clock
 * had when the server last sent the date.
 */
export function updateToday(client: QueryClient): void {
  client.setQueryData(districtQuery.queryKey, (cached) => {
    const state = client.getQueryState(districtQuery.queryKey);
    if (cached === undefined || state === undefined) return cached;
    const offset = (cached as CachedDistrict).offset ?? offsetOf(cached, state.dataUpdatedAt);
    const today = addDays(dayIn(cached.timeZone, deviceNow()), offset);
    return today === cached.today ? cached : { ...cached, today };
  });
}

type Pages = InfiniteData<ReplyOf<typeof listTimeEntries>>;
type CachedDistrict = District & { offset?: number };

function withOffset({ data, dataUpdatedAt }: Query['state']): CachedDistrict {
  return { ...(data as District), offset: offsetOf(data as District, dataUpdatedAt) };
}

// Returns how many days the device's clock is behind the server's.
function offsetOf({ timeZone, today }: District, at: number): number {
  return daysBetween(dayIn(timeZone, instantOf(at)), today);
}

function ownFirstPage(user: User, { pages, pageParams }: Pages): Pages {
  const own = pages.slice(0, 1).map((page) => ({
    ...page,
    nextCursor: null,
    timeEntries: page.timeEntries.filter((entry) => entry.user.id === user.id),
  }));
  return { pages: own, pageParams: pageParams.slice(0, 1) };
}
