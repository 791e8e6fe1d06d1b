import { useId } from 'react';
import { deviceNow, formatTime, isTimeZone, timeZones } from '#shared/calendar-date.ts';
import { inOrder, LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import { OWN_NAMES } from '#web/i18n/language.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FieldError } from '#web/ui/labeled-field.tsx';
import { Select } from '#web/ui/select.tsx';

type FixedValueProps = {
  label: string;
  value: string;
  /** The reason why the value is fixed, unless the environment sets it. */
  hint?: string | undefined;
};

/** A setting that cannot be edited, with the reason. */
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

type LanguagesFieldProps = {
  name: string;
  value: readonly Language[];
  onChange: (value: Language[]) => void;
  error?: string | undefined;
};

/** Checkboxes for the languages the district offers. */
export function LanguagesField({ name, value, onChange, error }: LanguagesFieldProps) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <fieldset className="flex min-w-0 flex-col" aria-describedby={error && `${id}-error`}>
      <legend className="mb-1.5 font-medium">{t('district-settings:settingsLanguages')}</legend>
      <div className="-mx-2">
        {LANGUAGES.map((language) => (
          <Checkbox
            key={language}
            name={name}
            isSelected={value.includes(language)}
            onChange={(isOffered) =>
              onChange(inOrder(isOffered ? [...value, language] : value.filter((one) => one !== language)))
            }
            isAtFault={error !== undefined}
            describedBy={error && `${id}-error`}
          >
            <span lang={language}>{OWN_NAMES[language]}</span>
          </Checkbox>
        ))}
      </div>
      {error !== undefined && <FieldError id={`${id}-error`} text={error} />}
    </fieldset>
  );
}

type TimeZoneFieldProps = Omit<Parameters<typeof Select>[0], 'choices' | 'label' | 'hint'> & {
  /** Whether the environment sets the time zone. `isFixed`: it can no longer change because hours have been logged. */
  isSetByServer: boolean;
  isFixed: boolean;
};

/** The time zone that decides the day of hours. Shows its current time, so that users recognize it. */
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
