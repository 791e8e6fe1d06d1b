import { useText } from '#web/lib/text.ts';

/** A setting that the server sets: shown, not editable. */
export function FixedValue({ label, value }: { label: string; value: string }) {
  const { t } = useText();
  return (
    <div>
      <p className="font-medium">{label}</p>
      <p className="wrap-anywhere">{value}</p>
      <p className="text-sm text-soft">{t('district:settingsSetByServerHint')}</p>
    </div>
  );
}
