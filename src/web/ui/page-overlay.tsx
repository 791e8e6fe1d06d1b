import { I18nProvider } from 'react-aria-components/I18nProvider';
import { ModalOverlay, type ModalOverlayProps } from 'react-aria-components/Modal';
import { LOCALES } from '#shared/i18n/languages.ts';
import { browserVariant } from '../i18n/language.ts';
import { PAGE_LANGUAGE } from '../i18n/translate.ts';

const locale = browserVariant(PAGE_LANGUAGE) ?? LOCALES[PAGE_LANGUAGE];

/** What a dialog stands on. React Aria's own words in it are in the language of the page, whatever the browser's is. */
export function PageOverlay(props: ModalOverlayProps) {
  return (
    <I18nProvider locale={locale}>
      <ModalOverlay {...props} />
    </I18nProvider>
  );
}
