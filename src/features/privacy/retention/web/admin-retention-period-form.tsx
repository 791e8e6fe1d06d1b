import { useState } from 'react';
import * as z from 'zod/mini';
import {
  isRetainedForever,
  KINDS,
  type Kind,
  periodOf,
} from '#features/schools/district-settings/retention-periods.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import { countRecordsOlderThan, useChangePeriod } from './admin-api.ts';

type PeriodFormProps = { kind: Kind; period: number | null; onClose: () => void };

/** The form for a kind's retention period. It saves a shorter one only after showing how many records will be deleted. */
export function RetentionPeriodForm({ kind, period, onClose }: PeriodFormProps) {
  const { t } = useTranslation();
  const change = useChangePeriod();
  const [warned, setWarned] = useState<{ period: number; count: number }>();
  const { unit, least, most } = KINDS[kind];
  const form = useForm({
    schema: z.object({ period: periodOf(kind) }),
    initial: { period } as { period: number | null | undefined },
    send: async ({ period: wanted }) => {
      const isShorter = wanted !== null && (period === null || wanted < period);
      if (isShorter && warned?.period !== wanted) {
        const count = await countRecordsOlderThan(kind, wanted);
        setWarned({ period: wanted, count });
        if (count > 0) return;
      }
      const { message } = await change.mutateAsync({ [kind]: wanted });
      onClose();
      notify.success(message);
    },
  });
  const { value, onChange, ...field } = form.field('period');
  const isWarned = warned !== undefined && warned.period === value && warned.count > 0;
  return (
    <DialogForm
      form={form}
      onCancel={onClose}
      {...(isWarned ? { send: { text: t('retention:confirm'), isDanger: true } } : {})}
    >
      {isRetainedForever(kind) && (
        <Checkbox
          isSelected={value === null}
          onChange={(isForever) => onChange(isForever ? null : undefined)}
        >
          {t('retention:forever')}
        </Checkbox>
      )}
      {value !== null && (
        <NumberField
          {...field}
          value={value}
          onChange={onChange}
          label={t(unit === 'months' ? 'retention:inMonths' : 'retention:inDays')}
          min={least}
          max={most}
          step={1}
          isRequired
        />
      )}
      {isWarned && (
        <div role="alert">
          <Notice>{t('retention:confirmQuestion', { count: warned.count })}</Notice>
        </div>
      )}
    </DialogForm>
  );
}
