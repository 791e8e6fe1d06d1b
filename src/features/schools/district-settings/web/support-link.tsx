import { ACCESSIBILITY_PATH } from '#shared/accessibility-path.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { TextLink } from '#web/ui/text-link.tsx';

/** Links to the support address and the accessibility statement, at the end of every screen (WCAG 3.2.6). */
export function SupportLink({ email }: { email: string }) {
  const { t } = useTranslation();
  return (
    <p className="py-2 text-center text-sm text-soft">
      {t('district-settings:support')} <TextLink href={`mailto:${email}`}>{email}</TextLink>
      <br />
      <TextLink href={ACCESSIBILITY_PATH}>{t('district-settings:accessibility')}</TextLink>
    </p>
  );
}
