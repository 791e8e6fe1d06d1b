import { sql } from 'kysely';

/** Entries that count. */
export const isLive = sql<boolean>`time_entries.deleted_at is null`;

/** Entries in the trash. */
export const isDeleted = sql<boolean>`time_entries.deleted_at is not null`;
