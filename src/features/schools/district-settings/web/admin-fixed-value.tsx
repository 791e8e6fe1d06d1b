import { useTranslation } from '#web/i18n/translate.ts';

type FixedValueProps = {
  label: string;
  value: string;
  /** Why, where it is not that the server sets it. */
  hint?: string | undefined;
};

/** A setting that cannot be edited, and why. */
export function FixedValue({ label, value, hint }: FixedValueProps) {
  const { t } = useTranslation();
  return (
    <div>
      <p className="font-medium">{label}</p>
      <p className="wrap-anywhere">{value}</p>
      <p className="text-sm text-soft">{hint ?? t('district-settings:settingsSetByServerHint')}</p>
    </div>
  );
}
