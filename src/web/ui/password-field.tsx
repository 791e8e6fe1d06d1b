import { Eye, EyeOff } from 'lucide-react';
import type { FieldBinding } from '../forms/use-form.ts';
import { IconButton } from './button.tsx';
import { TextField } from './text-field.tsx';

type PasswordFieldProps = FieldBinding<string> & {
  label: string;
  hint?: string;
  autoComplete: 'current-password' | 'new-password';
  isShown: boolean;
  /** The button that shows or hides the password. With two fields, the first one has it and it applies to both. */
  toggle?: Readonly<{ label: string; onToggle: () => void }>;
};

/** A password field, hidden or readable. */
export function PasswordField({ isShown, toggle, ...field }: PasswordFieldProps) {
  const Icon = isShown ? EyeOff : Eye;
  return (
    <TextField
      {...field}
      type={isShown ? 'text' : 'password'}
      isPlain
      isRequired
      end={
        toggle && (
          <IconButton
            label={toggle.label}
            isPressed={isShown}
            icon={<Icon aria-hidden="true" className="size-5" />}
            onPress={toggle.onToggle}
          />
        )
      }
    />
  );
}
