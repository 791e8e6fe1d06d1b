import type { Db, Trx } from '#server/db/database.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';

// As long as the audit log stores IP addresses.
const STORED_DAYS = 90;
const DAY_MS = 86_400_000;

/** Returns the account with this email address if one of these marks is known for it. The first match in the list wins. */
export async function findKnownDevice(
  db: Db,
  emailKey: string,
  marks: readonly string[],
): Promise<{ userId: number; mark: string } | undefined> {
  const rows = await db
    .selectFrom('known_devices')
    .innerJoin('users', 'users.id', 'known_devices.user_id')
    .select(['known_devices.user_id', 'known_devices.mark'])
    .where('users.email_key', '=', emailKey)
    .where('known_devices.mark', 'in', marks)
    .execute();
  const [known] = rows.toSorted((a, b) => marks.indexOf(a.mark) - marks.indexOf(b.mark));
  return known === undefined ? undefined : { userId: known.user_id, mark: known.mark };
}

/** Whether a mark is new to an account that already has another one. */
export async function isUnknownDevice(trx: Trx, userId: number, mark: string): Promise<boolean> {
  const rows = await trx.selectFrom('known_devices').select('mark').where('user_id', '=', userId).execute();
  return rows.length > 0 && rows.every((row) => row.mark !== mark);
}

/** Whether an email of this kind was queued for a user since the given time. */
export function wasRecentlyNotified(
  trx: Trx,
  userId: number,
  kind: string,
  since: Instant,
): Promise<boolean> {
  return hasRows(
    trx
      .selectFrom('emails')
      .where('user_id', '=', userId)
      .where('kind', '=', kind)
      .where('created_at', '>', since),
  );
}

/** The number of wrong passwords in a row with this mark. */
export async function failuresFromDevice(db: Db, userId: number, mark: string): Promise<number> {
  const row = await db
    .selectFrom('known_devices')
    .select('failed_logins')
    .where('user_id', '=', userId)
    .where('mark', '=', mark)
    .executeTakeFirst();
  return row?.failed_logins ?? 0;
}

/** Stores these marks as known for an account after a sign-in, and resets their failures. */
export async function saveKnownDevices(
  trx: Trx,
  userId: number,
  marks: readonly string[],
  at: Instant,
): Promise<void> {
  await trx
    .insertInto('known_devices')
    .values(marks.map((mark) => ({ user_id: userId, mark, last_used_at: at })))
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'mark']).doUpdateSet({ last_used_at: at, failed_logins: 0 }),
    )
    .execute();
}

/** Counts a wrong password with this mark. */
export async function countDeviceFailure(trx: Trx, userId: number, mark: string, at: Instant): Promise<void> {
  await trx
    .insertInto('known_devices')
    .values({ user_id: userId, mark, last_used_at: at, failed_logins: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'mark'])
        .doUpdateSet((eb) => ({ failed_logins: eb('known_devices.failed_logins', '+', 1) })),
    )
    .execute();
}

/** Resets the failures of all of an account's marks, after a new password. */
export async function resetDeviceFailures(trx: Trx, userId: number): Promise<void> {
  await trx
    .updateTable('known_devices')
    .set({ failed_logins: 0 })
    .where('user_id', '=', userId)
    .where('failed_logins', '>', 0)
    .execute();
}

/** Deletes the marks of an account. */
export async function deleteKnownDevicesOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('known_devices').where('user_id', '=', userId).execute();
}

/** Deletes marks without a sign-in for 90 days. */
export async function deleteOldKnownDevices(trx: Trx, now: Instant): Promise<void> {
  const oldest = plusMilliseconds(now, -STORED_DAYS * DAY_MS);
  await trx.deleteFrom('known_devices').where('last_used_at', '<', oldest).execute();
}
