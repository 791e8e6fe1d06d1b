import * as z from 'zod/mini';
import type { PublicSchool } from '#features/schools/contract.ts';
import { useDistrict } from '#features/schools/district-settings/web/api.ts';
import { SchoolCheckboxes } from '#features/schools/web/school-checkboxes.tsx';
import type { Id } from '#shared/id.ts';
import { randomKey } from '#web/api/random-key.ts';
import { useForm } from '#web/forms/use-form.ts';
import { ownLanguage } from '#web/i18n/language.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { PageForm } from '#web/ui/page-form.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import { messages, RegisterInput } from '../../contract.ts';
import { useRegister } from '../../web/api.ts';
import { NameFields } from '../../web/name-fields.tsx';
import { NewPasswordFields, newPasswordProblems, usePasswordMin } from '../../web/new-password-fields.tsx';

const schoolIds: Id[] = [];

/** An empty form, with fields in the order shown. */
export const EMPTY_REGISTRATION = {
  firstName: '',
  lastName: '',
  email: '',
  password: '',
  confirmPassword: '',
  schoolIds,
};

/** The values that an emailed invitation fixes: the address and the offered schools. */
export type Invitation = Readonly<{ code: string; email: string; schools: readonly PublicSchool[] }>;

type RegisterOptions = Readonly<{
  invitation?: Invitation | undefined;
  /** Called when the account exists, just before its session starts. */
  onMade?: (() => void) | undefined;
  /** Called when a link was emailed and there is no account yet (mode 'verify-email'). */
  onMailed: (message: string) => void;
  /** The email address already typed on the sign-in form. */
  email?: string | undefined;
}>;

const WithoutPassword = z.extend(RegisterInput, { password: z.string() });

// In 'verify-email' mode the password is chosen through the emailed link.
function usePasswordAtLink(invitation: Invitation | undefined): boolean {
  const { data } = useDistrict();
  return data?.registration === 'verify-email' && invitation === undefined;
}

/** The state of the registration form. The parent view owns it, so that email and password survive a change of mode. */
export function useRegisterForm({ invitation, onMade, onMailed, email = '' }: RegisterOptions) {
  const register = useRegister();
  const { data: district } = useDistrict();
  const min = usePasswordMin();
  const isAtLink = usePasswordAtLink(invitation);
  return useForm({
    schema: isAtLink ? WithoutPassword : RegisterInput,
    initial:
      invitation === undefined
        ? { ...EMPTY_REGISTRATION, email }
        : {
            ...EMPTY_REGISTRATION,
            email: invitation.email,
            schoolIds: invitation.schools.map(({ id }) => id),
          },
    check: ({ password, confirmPassword }) => {
      if (isAtLink) return {};
      const { newPassword, ...problems } = newPasswordProblems(password, confirmPassword, min);
      return { ...problems, password: newPassword };
    },
    send: async (input) => {
      const body = {
        ...input,
        // The schema requires a password in every mode; in mode 'verify-email' the server ignores it.
        ...(isAtLink ? { password: randomKey() } : {}),
        ...(invitation === undefined ? {} : { inviteCode: invitation.code }),
        ...ownLanguage(district?.languages),
      };
      const { isSignedIn, message } = await register(body, onMade);
      if (isSignedIn) notify.success(message);
      else onMailed(message);
    },
    failed: messages.registrationFailed,
  });
}

type RegisterFormProps = { form: ReturnType<typeof useRegisterForm>; invitation?: Invitation };

/** The form for a new account: name, email, password, schools. */
export function RegisterForm({ form, invitation }: RegisterFormProps) {
  const { t } = useTranslation();
  const district = useDistrict();
  const isAtLink = usePasswordAtLink(invitation);
  return (
    <PageForm form={form} send={{ text: t('users:register'), busyText: t('users:registering') }} isWide>
      <NameFields field={form.field} isOwn />
      <TextField
        {...form.field('email')}
        label={t('users:email')}
        hint={invitation && t('users:inviteEmail')}
        type="email"
        autoComplete="username"
        isReadOnly={invitation !== undefined}
        isRequired
      />
      {isAtLink ? (
        <p className="text-soft">{t('users:passwordAtLink')}</p>
      ) : (
        <NewPasswordFields
          label={t('users:password')}
          password={form.field('password')}
          confirmation={form.field('confirmPassword')}
        />
      )}
      {invitation === undefined && (
        <SchoolCheckboxes
          {...form.field('schoolIds')}
          label={t('users:schools')}
          hint={t('users:schoolsHint')}
          supportEmail={district.data?.supportEmail}
        />
      )}
    </PageForm>
  );
}
