import type { Language } from '#shared/i18n/languages.ts';

/** Somebody to write to: the account, its address and name, and the language that it chose, null where it chose none. */
export type Recipient = Readonly<{
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  language: Language | null;
}>;

/** What a query of `users` selects for a `Recipient`. */
export const RECIPIENT = [
  'users.id',
  'users.email',
  'users.first_name as firstName',
  'users.last_name as lastName',
  'users.language',
] as const;
