import { useTranslation } from '../i18n/translate.ts';
import { createFocusTarget } from './focus-target.ts';

const main = createFocusTarget();

/** Spread on the `main` element that the skip link leads to. */
export const skipTarget = { id: 'main', ref: main.ref, tabIndex: -1 } as const;

/** The first Tab stop on a signed-in screen. It skips the header and is visible only while it has the focus. */
export function SkipLink() {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useValidAnchor: it jumps within the page; a hash would add a history entry
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
