import { sql } from 'kysely';
import type { Language } from '#shared/i18n/languages.ts';
import type { Db } from '../database.ts';

/** An email recipient: account, address, name, and chosen language (null if they chose none). */
export type Recipient = Readonly<{
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  language: Language | null;
}>;

/** The columns of `users` that make a `Recipient`. */
export const RECIPIENT = [
  'users.id',
  'users.email',
  'users.first_name as firstName',
  'users.last_name as lastName',
  'users.language',
] as const;

/** Selects the active district administrators as recipients, by id. */
export function selectAdministrators(db: Db) {
  return db
    .selectFrom('users')
    .select(RECIPIENT)
    .where(sql<boolean>`users.role = 'admin' and users.is_active = 1`)
    .orderBy('users.id');
}
