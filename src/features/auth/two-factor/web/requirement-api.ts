import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { changeSettings, getSettings } from '#features/schools/district-settings/settings-contract.ts';
import type { ReplyOf } from '#shared/endpoint.ts';
import { call } from '#web/api/call.ts';
import { TWO_FACTOR_NOTICE } from './two-factor-notice.ts';

const REQUIREMENT = ['admin', 'second-factor-demand'];
export type TwoFactorRequirementSetting = Pick<
  ReplyOf<typeof getSettings>['settings'],
  'secondFactor' | 'secondFactorGraceDays'
>;

/** Who must use two-factor authentication. */
export function useTwoFactorRequirement() {
  return useQuery({
    queryKey: REQUIREMENT,
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
      void client.invalidateQueries({ queryKey: REQUIREMENT });
      // It may apply to the viewer too.
      void client.invalidateQueries({ queryKey: TWO_FACTOR_NOTICE });
    },
  });
}
