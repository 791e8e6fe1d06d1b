import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf, ReplyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { call } from '#web/api/call.ts';
import { pagesOf } from '#web/api/infinite-pages.ts';
import {
  cancelShorterRetention,
  changeSettings,
  getRetention,
  getSettings,
  type Kind,
  liftHold,
  listHolds,
  placeHold,
  previewSettings,
} from '../contract.ts';

const RETENTION = ['admin', 'retention'];
const HOLDS = ['admin', 'legal-holds'];

/** How long each kind is kept, what was deleted of it last, and which shorter periods do not hold yet. */
export function useRetention() {
  return useQuery({
    queryKey: RETENTION,
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

/** Sets how long a kind is kept. */
export function useChangePeriod() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (retention: NonNullable<BodyOf<typeof changeSettings>['retention']>) =>
      call(changeSettings, { body: { retention } }),
    onSettled: () => void client.invalidateQueries({ queryKey: RETENTION }),
  });
}

/** Takes back shorter periods that do not hold yet. */
export function useCancelShorter() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(cancelShorterRetention),
    onSettled: () => void client.invalidateQueries({ queryKey: RETENTION }),
  });
}

const DEMAND = ['admin', 'second-factor-demand'];
export type TwoFactorRequirementSetting = Pick<
  ReplyOf<typeof getSettings>['settings'],
  'secondFactor' | 'secondFactorGraceDays'
>;

/** Of whom a second proof is demanded. */
export function useTwoFactorRequirement() {
  return useQuery({
    queryKey: DEMAND,
    queryFn: async ({ signal }): Promise<TwoFactorRequirementSetting> => {
      const { secondFactor, secondFactorGraceDays } = (await call(getSettings, { signal })).settings;
      return { secondFactor, secondFactorGraceDays };
    },
  });
}

export function useChangeTwoFactorRequirement() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: TwoFactorRequirementSetting) => call(changeSettings, { body }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: DEMAND });
      // It may be demanded of the viewer too.
      void client.invalidateQueries({ queryKey: ['proof-needed'] });
    },
  });
}

/** How many of a kind the next night would delete if this were its period. */
export async function countRecordsOlderThan(kind: Kind, period: number): Promise<number> {
  const { deletes } = await call(previewSettings, { body: { retention: { [kind]: period } } });
  return deletes[0]?.count ?? 0;
}

/** Legal holds, the latest first. */
export function useLegalHolds() {
  return useInfiniteQuery(
    pagesOf(
      HOLDS,
      ({ cursor, signal }): Promise<ReplyOf<typeof listHolds>> =>
        call(listHolds, { query: { cursor }, signal }),
      (pages) => pages.flatMap((page) => page.holds),
    ),
  );
}

export function usePlaceLegalHold() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof placeHold>) => call(placeHold, { body }),
    onSettled: () => void client.invalidateQueries({ queryKey: HOLDS }),
  });
}

export function useLiftLegalHold() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: Id) => call(liftHold, { params: { id } }),
    onSettled: () => void client.invalidateQueries({ queryKey: HOLDS }),
  });
}
