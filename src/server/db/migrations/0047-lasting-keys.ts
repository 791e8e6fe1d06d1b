import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/** What a call with a key made, where the key must be known for as long as its account: hours that waited on a phone. */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);
  await run(sql`alter table idempotency_keys add column made_id ${t.ref}`);
  // The hourly job must not read all that last.
  await run(sql`drop index idempotency_keys_by_age`);
  await run(sql`create index idempotency_keys_by_age on idempotency_keys (created_at) where made_id is null`);
  await run(sql`create index idempotency_keys_with_reply on idempotency_keys (created_at)
    where made_id is not null and reply is not null`);
}
