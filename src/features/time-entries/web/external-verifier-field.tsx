import type { Activity } from '#features/activities/contract.ts';
import type { FieldBinding } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { TextField } from '#web/ui/text-field.tsx';
import type { TimeEntry } from '../contract.ts';

type SupervisorFieldProps = {
  field: FieldBinding<string | undefined>;
  /** The verifier named before; not asked for again unless the server rejects it. */
  remembered: string | undefined;
  activity: Activity;
  own: readonly TimeEntry[];
};

/** Asks for the external verifier, where the activity requires one and does not name it. */
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

// The activity needs an external verifier and names none. The entries show whether the school verifies hours.
function asksForVerifier({ verifiedBy, outsideVerifier }: Activity, own: readonly TimeEntry[]): boolean {
  return (
    verifiedBy === 'outside' &&
    outsideVerifier === null &&
    own.some(({ verification }) => verification !== null)
  );
}
