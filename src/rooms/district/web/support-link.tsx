import { useText } from '#web/lib/text.ts';
import { TextLink } from '#web/ui/text-link.tsx';

/** The support address, for when nothing else helps. */
export function SupportLink({ email }: { email: string }) {
  const { t } = useText();
  return (
    <p className="py-2 text-sm text-soft">
      {t('district:support')} <TextLink href={`mailto:${email}`}>{email}</TextLink>
    </p>
  );
}
