import { restoreLink, storeSignInProgress } from '#web/api/sign-in-progress.ts';
import { leavePage } from '#web/forms/unsaved-changes.ts';
import { OWN_NAMES, switchLanguage } from '#web/i18n/language.ts';
import { PAGE_LANGUAGE } from '#web/i18n/translate.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { useDistrict } from './api.ts';

/** Links to the district's other languages, for visitors who have not signed in. */
export function LanguageSwitch() {
  const { data } = useDistrict();
  return data?.languages
    .filter((language) => language !== PAGE_LANGUAGE)
    .map((language) => (
      <LinkButton
        key={language}
        lang={language}
        onPress={() =>
          leavePage(() => {
            storeSignInProgress();
            restoreLink();
            switchLanguage(language);
          })
        }
      >
        {OWN_NAMES[language]}
      </LinkButton>
    ));
}
