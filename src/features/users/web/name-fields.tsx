import type { FieldBinding } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { TextField } from '#web/ui/text-field.tsx';
import { LIMITS } from '../contract.ts';

type NameFieldsProps = {
  field: (name: 'firstName' | 'lastName') => FieldBinding<string>;
  /** Whether users enter their own name, so that the browser may autofill it. */
  isOwn?: boolean;
  isReadOnly?: boolean;
};

/** First and last name, side by side if there is room. */
export function NameFields({ field, isOwn = false, isReadOnly = false }: NameFieldsProps) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-4 min-[26rem]:grid-cols-2">
      <TextField
        {...field('firstName')}
        label={t('users:firstName')}
        autoComplete={isOwn ? 'given-name' : 'off'}
        maxLength={LIMITS.name}
        isReadOnly={isReadOnly}
        isRequired
      />
      <TextField
        {...field('lastName')}
        label={t('users:lastName')}
        autoComplete={isOwn ? 'family-name' : 'off'}
        maxLength={LIMITS.name}
        isReadOnly={isReadOnly}
        isRequired
      />
    </div>
  );
}
