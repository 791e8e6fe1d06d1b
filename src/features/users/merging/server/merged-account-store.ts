import type { Db, Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { fullName } from '#shared/person-name.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { emailKey } from '../../contract.ts';
import { CLOSED_ACCOUNT } from '../../server/store.ts';

/** The accounts that are merged into these, directly or through others. */
export async function mergedInto(db: Db, userIds: readonly number[]): Promise<number[]> {
  const found: number[] = [];
  let next = [...userIds];
  while (next.length > 0) {
    const rows = await db
      .selectFrom('account_merges')
      .select('from_user_id')
      .where('into_user_id', 'in', next)
      .where('undone_at', 'is', null)
      .execute();
    next = rows.map((row) => row.from_user_id).filter((id) => !found.includes(id));
    found.push(...next);
  }
  return found;
}

/** Returns the surviving account of each of these, across several merges. Accounts that were not merged are left out. */
export async function currentAccountIds(
  db: Db,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const found = new Map<number, number>();
  const seen = new Set(userIds);
  let next = [...seen];
  while (next.length > 0) {
    const rows = await db
      .selectFrom('account_merges')
      .select(['from_user_id', 'into_user_id'])
      .where('from_user_id', 'in', next)
      .where('undone_at', 'is', null)
      .execute();
    for (const row of rows) found.set(row.from_user_id, row.into_user_id);
    next = rows.map((row) => row.into_user_id).filter((id) => !seen.has(id));
    for (const id of next) seen.add(id);
  }
  const last = (id: number): number => {
    const into = found.get(id);
    return into === undefined ? id : last(into);
  };
  return new Map([...found.keys()].map((id) => [id, last(id)]));
}

/** Closes an account that was merged into another. Its row stays, with the name, for the audit log. */
export async function closeMergedAccount(
  trx: Trx,
  user: Row<'users'>,
  end: { at: Instant; email: string },
): Promise<void> {
  await trx
    .updateTable('users')
    .set((eb) => ({
      email: end.email,
      email_key: emailKey(end.email),
      search_key: foldForSearch(fullName({ firstName: user.first_name, lastName: user.last_name })),
      ...CLOSED_ACCOUNT,
      erased_at: end.at,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', user.id)
    .execute();
}

/** Restores an account as it was before it was merged. */
export async function restoreMerged(trx: Trx, { id, version: _, ...before }: Row<'users'>): Promise<void> {
  await trx
    .updateTable('users')
    .set((eb) => ({ ...before, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}
