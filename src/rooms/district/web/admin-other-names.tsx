import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OtherLanguage } from '#base/translations.ts';
import { languageName } from '#web/lib/language-name.ts';
import { useText } from '#web/lib/text.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { PasteNames } from './admin-paste-names.tsx';
import { useOfferedTranslations } from './admin-translation-fields.tsx';
import { keepNames, keptNames } from './name-list-draft.ts';
import type { NamedList } from './named-list.ts';

/**
 * What a list shows of names in the district's other languages, for whoever may edit it: a line that says how many are missing,
 * the language whose missing ones are shown alone, and in place of the list the screen where names are pasted.
 */
export function useOtherNames(list: NamedList, mayEdit: boolean) {
  const text = useText();
  const { t } = text;
  const offered = useOfferedTranslations();
  const languages = mayEdit ? offered : [];
  const [without, setWithout] = useState<OtherLanguage>();
  const [opened, setOpened] = useState<OtherLanguage | null>();
  const of = (language: OtherLanguage) => ({ kind: list.kind, schoolId: list.schoolId, language });
  const open = opened === undefined ? languages.find((one) => keptNames(of(one)).isOpen) : opened;
  const shown = languages.find((one) => one === without);
  function paste(language: OtherLanguage, isOpen: boolean) {
    keepNames(of(language), { isOpen });
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
    screen: open ? <PasteNames list={list} language={open} onClose={() => paste(open, false)} /> : undefined,
    noneMatch: shown && {
      text: t('district:namesNoneMissing', { language: languageName(shown, text) }),
      clear: t('district:namesShowAll'),
      onClear: () => setWithout(undefined),
    },
  };
}

type NamesLineProps = {
  list: NamedList;
  language: OtherLanguage;
  /** Only those without a name are shown. */
  isAlone: boolean;
  onAlone: (isAlone: boolean) => void;
  onPaste: () => void;
};

function NamesLine({ list, language, isAlone, onAlone, onPaste }: NamesLineProps) {
  const text = useText();
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
          ? t('district:namesAll', { language: called })
          : t('district:namesMissing', { missing: data.total, language: called })}
      </p>
      {(data.total > 0 || isAlone) && (
        <LinkButton onPress={() => onAlone(!isAlone)}>
          {t(isAlone ? 'district:namesShowAll' : 'district:namesShowMissing')}
        </LinkButton>
      )}
      <LinkButton label={t('district:namesOpenLabel', { language: called })} onPress={onPaste}>
        {t('district:namesOpen')}
      </LinkButton>
    </div>
  );
}
