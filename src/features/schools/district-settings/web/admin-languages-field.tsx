import { useId } from 'react';
import { inOrder, LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import { OWN_NAMES } from '#web/i18n/language.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FieldError } from '#web/ui/labeled-field.tsx';

type LanguagesFieldProps = {
  name: string;
  value: readonly Language[];
  onChange: (value: Language[]) => void;
  error?: string | undefined;
};

/** The languages that people of the district can choose, by a checkbox for each. */
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
