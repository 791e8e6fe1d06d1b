import { useTranslation } from '#web/i18n/translate.ts';
import { CheckboxField } from '#web/ui/checkbox.tsx';
import type { NamedUser } from './admin-api.ts';

type ActiveChoiceProps = {
  /** Undefined for a new account. */
  user: NamedUser | undefined;
  isActive: boolean;
  onChange: (isActive: boolean) => void;
};

/** The checkbox for whether a user can sign in. If only the district may reactivate the user, explains that instead. */
export function ActiveCheckbox({ user, isActive, onChange }: ActiveChoiceProps) {
  const { t } = useTranslation();
  const closed = user?.closed ?? [];
  if (!closed.includes('isActive')) {
    return (
      <CheckboxField isSelected={isActive} onChange={onChange}>
        {t('users:isActive')}
      </CheckboxField>
    );
  }
  // If the name is locked too, the user also belongs to another school, which the form already explains.
  if (user === undefined || user.isActive || closed.includes('name')) return null;
  return <p className="text-soft">{t('users:deactivatedByDistrict', { name: user.name })}</p>;
}
