import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { Kind } from '#features/schools/district-settings/retention-periods.ts';
import { changeSettings, getSettings } from '#features/schools/district-settings/settings-contract.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { listPages } from '#web/api/infinite-pages.ts';
import { useDecision } from '#web/api/list-cache.ts';
import {
  cancelShorterRetention,
  getRetention,
  liftHold,
  listHolds,
  placeHold,
  previewSettings,
} from '../contract.ts';

/** Retention periods, the last cleanup of each kind, and shorter periods that are still pending. */
export function useRetention() {
  return useQuery({
    queryKey: ['admin', 'retention'],
    queryFn: async ({ signal }) => {
      const [{ settings, retentionPending }, { kinds }] = await Promise.all([
        call(getSettings, { signal }),
        call(getRetention, { signal }),
      ]);
      return {
        kinds: kinds.map((one) => ({ ...one, period: settings.retention[one.kind] })),
        pending: retentionPending,
      };
    },
    staleTime: 0,
  });
}

/** Changes retention periods. */
export function useChangePeriod() {
  return useDecision((retention: NonNullable<BodyOf<typeof changeSettings>['retention']>) =>
    call(changeSettings, { body: { retention } }),
  );
}

/** Cancels shorter periods that are still pending. */
export function useCancelShorter() {
  return useDecision(() => call(cancelShorterRetention));
}

/** Counts the records the next cleanup would delete with this period. */
export async function countRecordsOlderThan(kind: Kind, period: number): Promise<number> {
  const { deletes } = await call(previewSettings, { body: { retention: { [kind]: period } } });
  return deletes[0]?.count ?? 0;
}

/** Legal holds, the latest first. */
export function useLegalHolds() {
  return useInfiniteQuery(
    listPages(['admin', 'legal-holds'], listHolds, {}, (pages) => pages.flatMap((page) => page.holds)),
  );
}

export function usePlaceLegalHold() {
  return useDecision((body: BodyOf<typeof placeHold>) => call(placeHold, { body }));
}

export function useLiftLegalHold() {
  return useDecision((id: Id) => call(liftHold, { params: { id } }));
}
