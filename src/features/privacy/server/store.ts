import { type ExpressionBuilder, sql } from 'kysely';
import type { DeletedAccount } from '#server/backup/deleted-accounts-list.ts';
import { collect } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { containsWords } from '#server/db/queries/conditions.ts';
import { countRows } from '#server/db/queries/count-rows.ts';
import type { Page } from '#server/db/queries/pagination.ts';
import type { Tables } from '#server/db/tables.ts';
import { usersUnderLegalHold } from '#server/personal-data/legal-hold-store.ts';
import type { Instant } from '#shared/calendar-date.ts';
import type { DeletionRequest } from '../admin-contract.ts';

/** Stores a deletion request. Returns false if there is one already. */
export function insertDeletionRequest(
  trx: Trx,
  request: { userId: number; reason: string | null; at: Instant },
): Promise<boolean> {
  return changesRows(
    trx
      .insertInto('deletion_requests')
      .values({ user_id: request.userId, reason: request.reason, requested_at: request.at })
      .onConflict((conflict) => conflict.column('user_id').doNothing()),
  );
}

/** Returns a page of deletion requests, oldest first, with one row more than the limit to detect a next page. */
export async function pageOfDeletionRequests(db: Db, search: string, page: Page): Promise<DeletionRequest[]> {
  const rows = await selectDeletionRequests(db, search)
    .select([
      'deletion_requests.requested_at',
      'deletion_requests.reason',
      'deletion_requests.user_id',
      'users.first_name',
      'users.last_name',
      'users.email',
    ])
    .$if(page.after !== undefined, (query) => {
      const [at, userId] = page.after ?? [];
      return query.where(
        sql<boolean>`(deletion_requests.requested_at, deletion_requests.user_id) > (${at}, ${userId})`,
      );
    })
    .orderBy('deletion_requests.requested_at')
    .orderBy('deletion_requests.user_id')
    .limit(page.limit + 1)
    .execute();
  const held = await usersUnderLegalHold(
    db,
    rows.map((row) => row.user_id),
  );
  return rows.map((row) => ({
    user: {
      id: row.user_id,
      firstName: row.first_name ?? '',
      lastName: row.last_name ?? '',
      email: row.email ?? '',
    },
    reason: row.reason,
    requestedAt: row.requested_at,
    isHeld: held.has(row.user_id),
  }));
}

/** The number of deletion requests that match a search. */
export function countDeletionRequests(db: Db, search: string): Promise<number> {
  return countRows(selectDeletionRequests(db, search));
}

/** Removes a deletion request. Returns false if there is none. */
export function removeDeletionRequest(trx: Trx, userId: number): Promise<boolean> {
  return changesRows(trx.deleteFrom('deletion_requests').where('user_id', '=', userId));
}

/** A person's deletion request, or undefined. */
export function findDeletionRequest(db: Db, userId: number) {
  return db
    .selectFrom('deletion_requests')
    .select(['reason', 'requested_at as requestedAt'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Lists every deleted account, without those that were merged into another one. */
export function listDeletedAccounts(db: Db): Promise<DeletedAccount[]> {
  return db
    .selectFrom('users')
    .select(['id', 'created_at as createdAt'])
    .where('erased_at', 'is not', null)
    .where('id', 'not in', mergedAccounts)
    .orderBy('id')
    .execute();
}

/**
 * Returns which of these accounts still have personal data in this database, and how many people that is, because some accounts
 * may be merged into another one.
 */
export async function findRemainingPersonalData(
  db: Db,
  accounts: readonly DeletedAccount[],
): Promise<{ ids: number[]; people: number }> {
  const listed = new Set(accounts.map(({ id, createdAt }) => `${id} ${createdAt}`));
  const rows = await collect(accounts, (some) =>
    db
      .selectFrom('users')
      .select(['id', 'created_at', 'erased_at'])
      .where(
        'id',
        'in',
        some.map(({ id }) => id),
      )
      .where((eb) => eb.or([eb('erased_at', 'is', null), eb('id', 'in', mergedAccounts)]))
      .execute(),
  );
  const remaining = rows.filter((row) => listed.has(`${row.id} ${row.created_at}`));
  return {
    ids: [...new Set(remaining.map((row) => row.id))],
    people: new Set(remaining.filter((row) => row.erased_at === null).map((row) => row.id)).size,
  };
}

function mergedAccounts(eb: ExpressionBuilder<Tables, 'users'>) {
  return eb.selectFrom('account_merges').select('from_user_id').where('undone_at', 'is', null);
}

function selectDeletionRequests(db: Db, search: string) {
  return (
    db
      .selectFrom('deletion_requests')
      // A left join, so that no engine starts with all users; every request has a user.
      .leftJoin('users', 'users.id', 'deletion_requests.user_id')
      .where(containsWords('users.search_key', search))
  );
}
