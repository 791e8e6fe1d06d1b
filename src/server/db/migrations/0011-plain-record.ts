import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Engine } from '../column-types.ts';

/**
 * The record of photos without what it need not keep for ever: why somebody asked to take one down, which is for
 * whoever decides, and what its file was called, which may be a person's name.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const trigger = await withoutGuard(db, engine);
  const drop = (column: string, field: string): RawBuilder<unknown> =>
    engine === 'sqlite'
      ? sql`update audit set ${sql.ref(column)} = json_remove(${sql.ref(column)}, ${`$.${field}`})
          where subject = 'photo' and ${sql.ref(column)} is not null`
      : sql`update audit set ${sql.ref(column)} = (${sql.ref(column)}::jsonb - ${field}::text)::text
          where subject = 'photo' and ${sql.ref(column)} is not null`;
  await drop('after', 'reason').execute(db);
  await drop('after', 'originalName').execute(db);
  await drop('before', 'originalName').execute(db);
  await trigger.execute(db);
}

// The record refuses changed values; returns what makes it do so again, to the letter.
async function withoutGuard(db: Kysely<unknown>, engine: Engine): Promise<RawBuilder<unknown>> {
  if (engine === 'sqlite') {
    const { rows } = await sql<{ sql: string }>`select sql from sqlite_master
      where type = 'trigger' and name = 'audit_keeps_values'`.execute(db);
    await sql`drop trigger audit_keeps_values`.execute(db);
    return sql.raw(rows[0]?.sql ?? '');
  }
  await sql`alter table audit disable trigger audit_keeps_values`.execute(db);
  return sql`alter table audit enable trigger audit_keeps_values`;
}
