import { useText } from '#web/lib/text.ts';
import { TextLink } from '#web/ui/text-link.tsx';
import { STATEMENT_PATH } from '../statement-path.ts';

/** The support address, for when nothing else helps, and the page about accessibility: at the end of every screen (WCAG 3.2.6). */
export function SupportLink({ email }: { email: string }) {
  const { t } = useText();
  return (
    <p className="py-2 text-center text-sm text-soft">
      {t('district:support')} <TextLink href={`mailto:${email}`}>{email}</TextLink>
      <br />
      <TextLink href={STATEMENT_PATH}>{t('district:accessibility')}</TextLink>
    </p>
  );
}
