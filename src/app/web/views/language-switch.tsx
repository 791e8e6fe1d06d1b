import { useDistrict } from '#rooms/district/web/api.ts';
import { keepSignIn } from '#web/lib/begun-sign-in.ts';
import { restoreLink } from '#web/lib/kept-link.ts';
import { OWN_NAMES, turnTo } from '#web/lib/language.ts';
import { PAGE_LANGUAGE } from '#web/lib/text.ts';
import { leavePage } from '#web/lib/unsaved.ts';
import { LinkButton } from '#web/ui/button.tsx';

/** The district's other languages, for people who have not signed in. */
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
            keepSignIn();
            restoreLink();
            turnTo(language);
          })
        }
      >
        {OWN_NAMES[language]}
      </LinkButton>
    ));
}
