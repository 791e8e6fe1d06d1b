import type { Db, Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** A stored picture. `name` contains a hash of it. */
export type Logo = Pick<Row<'school_logos'>, 'name' | 'type' | 'content'>;

/** Sets a school's logo and its address, in place of the old one. */
export async function saveLogo(
  trx: Trx,
  schoolId: number,
  { name, type, content, url, at }: Logo & { url: string; at: Instant },
): Promise<void> {
  const values = { name, type, content, created_at: at };
  await trx
    .insertInto('school_logos')
    .values({ school_id: schoolId, ...values })
    .onConflict((conflict) => conflict.column('school_id').doUpdateSet(values))
    .execute();
  await pointTo(trx, schoolId, url);
}

/** Removes a school's logo. */
export async function deleteLogo(trx: Trx, schoolId: number): Promise<void> {
  await trx.deleteFrom('school_logos').where('school_id', '=', schoolId).execute();
  await pointTo(trx, schoolId, null);
}

/** A logo by its name; several schools may have the same picture. */
export function findLogo(db: Db, name: string): Promise<Logo | undefined> {
  return db
    .selectFrom('school_logos')
    .select(['name', 'type', 'content'])
    .where('name', '=', name)
    .limit(1)
    .executeTakeFirst();
}

async function pointTo(trx: Trx, schoolId: number, url: string | null): Promise<void> {
  await trx
    .updateTable('schools')
    .set((eb) => ({ logo_url: url, version: eb('version', '+', 1) }))
    .where('id', '=', schoolId)
    .execute();
}
