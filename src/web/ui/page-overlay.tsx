import { I18nProvider } from 'react-aria-components/I18nProvider';
import { ModalOverlay, type ModalOverlayProps } from 'react-aria-components/Modal';
import { LOCALES } from '#shared/i18n/languages.ts';
import { browserVariant } from '../i18n/language.ts';
import { PAGE_LANGUAGE } from '../i18n/translate.ts';

const locale = browserVariant(PAGE_LANGUAGE) ?? LOCALES[PAGE_LANGUAGE];

/** The backdrop of a dialog. Sets React Aria's own texts to the page's language instead of the browser's. */
export function PageOverlay(props: ModalOverlayProps) {
  return (
    <I18nProvider locale={locale}>
      <ModalOverlay {...props} />
    </I18nProvider>
  );
}
