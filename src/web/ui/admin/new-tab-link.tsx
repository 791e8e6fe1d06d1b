import { ExternalLink } from 'lucide-react';
import { useTranslation } from '../../i18n/translate.ts';

/** A link to an external page that opens in a new tab. `about` distinguishes links with the same text. */
export function NewTabLink({ href, text, about }: { href: string; text: string; about?: string }) {
  const { t } = useTranslation();
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex min-h-11 items-center gap-1.5 rounded-lg px-1 font-medium text-brand underline decoration-transparent underline-offset-4 transition-colors hover:decoration-current"
    >
      {text}
      <ExternalLink aria-hidden="true" className="size-4 shrink-0" />
      <span className="sr-only">
        {about} {t('web:opensNewTab')}
      </span>
    </a>
  );
}
