import { useEffect, useState } from 'react';
import {
  OTHER_LANGUAGES,
  type OtherLanguage,
  type Translations,
  type TranslationsChange,
} from '#shared/content-translations.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import { languageName } from '#web/i18n/language.ts';
import { PAGE_LANGUAGE, useTranslation } from '#web/i18n/translate.ts';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { FieldError } from '#web/ui/labeled-field.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useDistrict } from '../../district-settings/web/api.ts';

/** The form values of a record's translations; blank if missing. */
export type TranslationValues<Name extends string> = Readonly<
  Record<OtherLanguage, Readonly<Record<Name, string>>>
>;

/** The form's initial values. */
export function translationValues<Name extends string>(
  names: readonly Name[],
  translations: Translations<Name> | undefined,
): TranslationValues<Name> {
  return Object.fromEntries(
    OTHER_LANGUAGES.map((language) => [
      language,
      Object.fromEntries(names.map((name) => [name, translations?.[language]?.[name] ?? ''])),
    ]),
  ) as TranslationValues<Name>;
}

/** The languages a district offers besides its first one. */
export function useOfferedTranslations(): readonly OtherLanguage[] {
  const [first, ...others] = useDistrict().data?.languages ?? [];
  return first === undefined ? [] : OTHER_LANGUAGES.filter((language) => others.includes(language));
}

/** A translatable text: its label and its longest length in characters. */
type TextOf<Name> = Readonly<{ name: Name; label: string; max: number; isLong?: boolean }>;

type TranslationFieldsProps<Name extends string> = {
  texts: readonly TextOf<Name>[];
  value: TranslationValues<Name>;
  onChange: (value: TranslationValues<Name>) => void;
  error?: string | undefined;
};

/** A record's translations, in a collapsed section for each language. Renders nothing if the district offers one language. */
export function TranslationFields<Name extends string>(props: TranslationFieldsProps<Name>) {
  const languages = useOfferedTranslations();
  return languages.map((language) => <InLanguage key={language} language={language} {...props} />);
}

type Named = Readonly<{ name: string; translations: TranslationsChange<'name'> }>;

/** Returns the name of a row in the page's language, or else in the first language, as the other screens show it. */
export function ownName({ name, translations }: Named): string {
  const own = OTHER_LANGUAGES.find((language) => language === PAGE_LANGUAGE);
  return (own && translations?.[own]?.name) ?? name;
}

/** The names of a row in the other languages of the district, below its own in a list. Renders nothing if there are none. */
export function TranslatedNames({ row }: { row: Named }) {
  const languages = useOfferedTranslations();
  const names = [
    [LANGUAGES[0], row.name] as const,
    ...languages.map((language) => [language, row.translations?.[language]?.name ?? null] as const),
  ];
  return names.map(([language, name]) =>
    name === null || name === ownName(row) ? null : (
      <span key={language} lang={language} className="block text-dense text-soft">
        {name}
      </span>
    ),
  );
}

function InLanguage<Name extends string>({
  language,
  texts,
  value,
  onChange,
  error,
}: TranslationFieldsProps<Name> & { language: OtherLanguage }) {
  const text = useTranslation();
  const { t } = text;
  const [isOpen, setIsOpen] = useState(false);
  const own = value[language];
  const first = texts.map(({ name }) => own[name].trim()).find((one) => one !== '');
  const called = languageName(language, text);
  // An error must not stay hidden in a collapsed section.
  useEffect(() => {
    if (error !== undefined) setIsOpen(true);
  }, [error]);
  return (
    <Disclosure
      title={t('web:inLanguage', { language: called })}
      hint={first === undefined ? t('web:noTranslation') : <span lang={language}>{first}</span>}
      isExpanded={isOpen}
      onExpandedChange={setIsOpen}
      level={3}
    >
      <div className="flex flex-col gap-4 px-2 pt-1 pb-3">
        <p className="text-sm text-soft">{t('web:translationHint')}</p>
        {texts.map(({ name, label, max, isLong = false }) => {
          const field = {
            name: `translations.${language}.${name}`,
            label: t('web:fieldInLanguage', { field: label, language: called }),
            value: own[name],
            onChange: (next: string) => onChange({ ...value, [language]: { ...own, [name]: next } }),
            lang: language,
          };
          return isLong ? (
            <TextArea key={name} {...field} max={max} />
          ) : (
            <TextField key={name} {...field} maxLength={max} autoComplete="off" />
          );
        })}
        {error !== undefined && <FieldError id={`translations-${language}`} text={error} />}
      </div>
    </Disclosure>
  );
}
