import { cleanEmail } from '#shared/email-address.ts';
import { booleanField, type Field, plainField, withoutFields } from '#shared/entity-fields.ts';
import type { Language } from '#shared/i18n/languages.ts';
import type { UserInput } from './admin-contract.ts';
import type { Role } from './contract.ts';

/** The fields of an account. The password is stored as a hash, and schools are separate rows. */
export const USER_FIELDS = {
  email: {
    column: 'email',
    toColumn: cleanEmail,
    fromColumn: (stored: string) => stored,
    log: { text: 'audit:fieldEmail' },
  },
  firstName: { column: 'first_name', ...plainField<string>(), log: { text: 'audit:fieldFirstName' } },
  lastName: { column: 'last_name', ...plainField<string>(), log: { text: 'audit:fieldLastName' } },
  role: { column: 'role', ...plainField<Role>(), log: { text: 'audit:fieldRole' } },
  isActive: { column: 'is_active', ...booleanField, log: { text: 'audit:fieldIsActive' } },
} as const satisfies Readonly<
  Record<keyof Omit<Required<UserInput>, 'password' | 'schoolIds' | 'grants' | 'unconfirmed'>, Field>
>;

/** The fields that users change in their own profile. */
export const PROFILE_FIELDS = {
  ...withoutFields(USER_FIELDS, 'role', 'isActive'),
  language: { column: 'language', ...plainField<Language | null>(), log: { text: 'audit:fieldLanguage' } },
} as const;
