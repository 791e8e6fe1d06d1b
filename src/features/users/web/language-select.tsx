import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Language } from '#shared/i18n/languages.ts';
import { leavePage, reloadPage } from '#web/forms/unsaved-changes.ts';
import { browserLanguage, OWN_NAMES, storeLanguage } from '#web/i18n/language.ts';
import { PAGE_LANGUAGE, useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { MutationMessage } from '#web/ui/mutation-message.tsx';
import { Select } from '#web/ui/select.tsx';
import type { User } from '../contract.ts';
import { useProfileUpdate } from './api.ts';

type LanguageChoiceProps = { user: User; languages: readonly Language[] };

/** The language of an account. Saving it reloads the page if it is in another language. */
export function LanguageSelect({ user, languages }: LanguageChoiceProps) {
  const { t } = useTranslation();
  const updateProfile = useProfileUpdate();
  const [chosen, setChosen] = useState(user.language);
  const ofBrowser = browserLanguage(languages) ?? PAGE_LANGUAGE;
  const isOther = (chosen ?? ofBrowser) !== PAGE_LANGUAGE;
  const save = useMutation({
    mutationFn: () => updateProfile({ language: chosen }),
    onSuccess: () => {
      storeLanguage(chosen);
      if (isOther) reloadPage();
    },
  });
  function submit(event: FormEvent) {
    event.preventDefault();
    if (save.isPending) return;
    if (isOther) leavePage(save.mutate);
    else save.mutate();
  }
  return (
    <form noValidate className="flex flex-col gap-2" onSubmit={submit}>
      <Select
        name="language"
        label={t('users:language')}
        hint={t('users:languageHint')}
        value={chosen ?? ''}
        onChange={(value) => {
          save.reset();
          setChosen(languages.find((language) => language === value) ?? null);
        }}
        choices={[
          { value: '', text: t('users:languageOfBrowser', { name: OWN_NAMES[ofBrowser] }) },
          ...languages.map((value) => ({ value, text: OWN_NAMES[value], lang: value })),
        ]}
      />
      <MutationMessage mutation={save} />
      {chosen !== user.language && (
        <div>
          <Button kind="primary" type="submit" isBusy={save.isPending} busyText={t('web:saving')}>
            {t('users:languageSave')}
          </Button>
        </div>
      )}
    </form>
  );
}
