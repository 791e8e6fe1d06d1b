import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OtherLanguage } from '#shared/content-translations.ts';
import { languageName } from '#web/i18n/language.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { PasteTranslations } from './admin-paste-translations.tsx';
import { useOfferedTranslations } from './admin-translation-fields.tsx';
import type { TranslatableList } from './translatable-list.ts';
import { readTranslationDraft, saveTranslationDraft } from './translation-draft.ts';

/**
 * Returns the controls for translated names of a list, for users who may edit it: the number of missing names, a filter for one
 * language, and the screen for pasting names, which replaces the list.
 */
export function useTranslatedNames(list: TranslatableList, mayEdit: boolean) {
  const text = useTranslation();
  const { t } = text;
  const offered = useOfferedTranslations();
  const languages = mayEdit ? offered : [];
  const [without, setWithout] = useState<OtherLanguage>();
  const [opened, setOpened] = useState<OtherLanguage | null>();
  const of = (language: OtherLanguage) => ({ kind: list.kind, schoolId: list.schoolId, language });
  const open = opened === undefined ? languages.find((one) => readTranslationDraft(of(one)).isOpen) : opened;
  const shown = languages.find((one) => one === without);
  function paste(language: OtherLanguage, isOpen: boolean) {
    saveTranslationDraft(of(language), { isOpen });
    setOpened(isOpen ? language : null);
  }
  const lines = languages.map((language) => (
    <NamesLine
      key={language}
      list={list}
      language={language}
      isAlone={shown === language}
      onAlone={(isAlone) => setWithout(isAlone ? language : undefined)}
      onPaste={() => paste(language, true)}
    />
  ));
  return {
    without: shown,
    line: lines.length === 0 ? undefined : lines,
    screen: open ? (
      <PasteTranslations list={list} language={open} onClose={() => paste(open, false)} />
    ) : undefined,
    noneMatch: shown && {
      text: t('district-settings:namesNoneMissing', { language: languageName(shown, text) }),
      clear: t('district-settings:namesShowAll'),
      onClear: () => setWithout(undefined),
    },
  };
}

type NamesLineProps = {
  list: TranslatableList;
  language: OtherLanguage;
  /** Whether the list shows only records without a name in this language. */
  isAlone: boolean;
  onAlone: (isAlone: boolean) => void;
  onPaste: () => void;
};

function NamesLine({ list, language, isAlone, onAlone, onPaste }: NamesLineProps) {
  const text = useTranslation();
  const { t } = text;
  const called = languageName(language, text);
  const { data } = useQuery({
    queryKey: ['admin', list.kind, 'without', language, list.schoolId],
    queryFn: ({ signal }) => list.missing(language, 1, signal),
  });
  if (data === undefined) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-dense">
      <p role="status" className="figures text-soft">
        {data.total === 0
          ? t('district-settings:namesAll', { language: called })
          : t('district-settings:namesMissing', { missing: data.total, language: called })}
      </p>
      {(data.total > 0 || isAlone) && (
        <LinkButton onPress={() => onAlone(!isAlone)}>
          {t(isAlone ? 'district-settings:namesShowAll' : 'district-settings:namesShowMissing')}
        </LinkButton>
      )}
      <LinkButton label={t('district-settings:namesOpenLabel', { language: called })} onPress={onPaste}>
        {t('district-settings:namesOpen')}
      </LinkButton>
    </div>
  );
}
