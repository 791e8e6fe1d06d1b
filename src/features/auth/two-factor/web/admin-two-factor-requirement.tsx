import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import {
  changeSettings,
  getSettings,
  LIMITS,
  TwoFactorRequirementFields,
} from '#features/schools/district-settings/settings-contract.ts';
import type { ReplyOf } from '#shared/endpoint.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { AdminSection } from '#web/ui/admin/admin-section.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { notify } from '#web/ui/toasts.ts';
import { TWO_FACTOR_NOTICE } from './two-factor-notice.ts';

/** Which administrators must have a second factor, and how many days they have to set it up. */
export function TwoFactorRequirement() {
  const { t } = useTranslation();
  const demand = useTwoFactorRequirement();
  return (
    <AdminSection title={t('retention:demandTitle')}>
      <p className="text-soft">{t('retention:demandAbout')}</p>
      {demand.data !== undefined && <DemandForm key={JSON.stringify(demand.data)} demand={demand.data} />}
    </AdminSection>
  );
}

function DemandForm({ demand }: { demand: TwoFactorRequirementSetting }) {
  const { t } = useTranslation();
  const change = useChangeTwoFactorRequirement();
  const form = useForm({
    schema: z.object(TwoFactorRequirementFields),
    initial: { ...demand, secondFactorGraceDays: demand.secondFactorGraceDays as number | undefined },
    send: async (wanted) => {
      const { message } = await change.mutateAsync(wanted);
      notify.success(message);
    },
  });
  const who = form.field('secondFactor');
  return (
    <form noValidate className="flex max-w-110 flex-col gap-4" onSubmit={form.onSubmit}>
      <Select
        {...who}
        onChange={(value) => who.onChange(value as TwoFactorRequirementSetting['secondFactor'])}
        label={t('retention:demandWho')}
        choices={[
          { value: 'optional', text: t('retention:demandOptional') },
          { value: 'administrators', text: t('retention:demandAdministrators') },
        ]}
      />
      {who.value === 'administrators' && (
        <NumberField
          {...form.field('secondFactorGraceDays')}
          label={t('retention:demandDays')}
          hint={t('retention:demandDaysHint')}
          min={0}
          max={LIMITS.graceDays}
          step={1}
          isRequired
        />
      )}
      <FormMessage message={form.message} summary={form.summary} />
      <div>
        <Button kind="primary" type="submit" isBusy={form.isSending}>
          {t('retention:demandSave')}
        </Button>
      </div>
    </form>
  );
}

const REQUIREMENT = ['admin', 'second-factor-demand'];
type TwoFactorRequirementSetting = Pick<
  ReplyOf<typeof getSettings>['settings'],
  'secondFactor' | 'secondFactorGraceDays'
>;

/** The two-factor requirement for administrators. */
function useTwoFactorRequirement() {
  return useQuery({
    queryKey: REQUIREMENT,
    queryFn: async ({ signal }): Promise<TwoFactorRequirementSetting> => {
      const { secondFactor, secondFactorGraceDays } = (await call(getSettings, { signal })).settings;
      return { secondFactor, secondFactorGraceDays };
    },
  });
}

function useChangeTwoFactorRequirement() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: TwoFactorRequirementSetting) => call(changeSettings, { body }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: REQUIREMENT });
      // The requirement may apply to the viewer too.
      void client.invalidateQueries({ queryKey: TWO_FACTOR_NOTICE });
    },
  });
}
