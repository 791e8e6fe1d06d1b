import type { Activity } from '#features/activities/contract.ts';
import type { FieldBinding } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { TextField } from '#web/ui/text-field.tsx';
import type { TimeEntry } from '../contract.ts';

type SupervisorFieldProps = {
  field: FieldBinding<string | undefined>;
  /** Who was named before: not asked again, unless the server does. */
  remembered: string | undefined;
  activity: Activity;
  own: readonly TimeEntry[];
};

/** Who confirms the hours, where somebody outside does and the activity does not say who. */
export function ExternalVerifierField({ field, remembered, activity, own }: SupervisorFieldProps) {
  const { t } = useTranslation();
  const isOpen = (asksForVerifier(activity, own) && remembered === undefined) || field.value !== remembered;
  if (!isOpen && field.error === undefined) return null;
  return (
    <TextField
      {...field}
      value={field.value ?? ''}
      onChange={(address) => field.onChange(address || undefined)}
      label={t('time-entries:supervisor')}
      hint={t('time-entries:supervisorHint')}
      type="email"
    />
  );
}

// Somebody outside confirms the hours, and nobody said who. The entries tell whether the school verifies any.
function asksForVerifier({ verifiedBy, outsideVerifier }: Activity, own: readonly TimeEntry[]): boolean {
  return (
    verifiedBy === 'outside' &&
    outsideVerifier === null &&
    own.some(({ verification }) => verification !== null)
  );
}
