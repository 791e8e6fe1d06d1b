import { deviceNow, formatTime, isTimeZone, timeZones } from '#shared/calendar-date.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Select } from '#web/ui/select.tsx';
import { FixedValue } from './admin-fixed-value.tsx';

type TimeZoneFieldProps = Omit<Parameters<typeof Select>[0], 'choices' | 'label' | 'hint'> & {
  /** Set by the server, or no longer to be changed. */
  isSetByServer: boolean;
  isFixed: boolean;
};

/** The zone whose days hours count for, with the time that it is there, by which a person recognizes it. */
export function TimeZoneField({ isSetByServer, isFixed, ...field }: TimeZoneFieldProps) {
  const { t, language } = useTranslation();
  const { value } = field;
  const time = isTimeZone(value) ? formatTime(deviceNow(), language, value) : '';
  const label = t('district-settings:settingsTimeZone');
  if (isSetByServer) return <FixedValue label={label} value={value} />;
  if (isFixed)
    return <FixedValue label={label} value={value} hint={t('district-settings:settingsTimeZoneFixed')} />;
  const zones = [...new Set([value, ...timeZones()])].toSorted();
  return (
    <Select
      {...field}
      label={label}
      hint={t('district-settings:settingsTimeZoneNow', { time })}
      choices={zones.map((zone) => ({ value: zone, text: zone.replaceAll('_', ' ') }))}
    />
  );
}
