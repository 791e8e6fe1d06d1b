import { useTranslation } from '../i18n/translate.ts';
import { createFocusTarget } from './focus-target.ts';

const main = createFocusTarget();

/** Spread on the `main` element that the skip link leads to. */
export const skipTarget = { id: 'main', ref: main.ref, tabIndex: -1 } as const;

/** The first thing that Tab reaches on a signed-in screen: it skips the header. Seen only while it has the focus. */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useValidAnchor: it leads to a place on the page; a hash would be a step for Back
    <a
      href="#main"
      className="absolute -top-20 left-4 z-20 rounded-xl bg-brand p-3 font-medium text-on-brand focus:top-2"
      onClick={(event) => {
        event.preventDefault();
        main.focus();
      }}
    >
      {t('web:skip')}
    </a>
  );
}
