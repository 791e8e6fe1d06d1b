import type { Db, Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';

/** A stored image. `name` contains its hash. */
export type Logo = Pick<Row<'school_logos'>, 'name' | 'type' | 'content'>;

/** Replaces a school's logo and its URL. */
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

/** Returns a logo by name; several schools may share one. */
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
