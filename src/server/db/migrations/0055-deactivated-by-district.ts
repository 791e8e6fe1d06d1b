import { type Kysely, sql } from 'kysely';
import { columnTypes, type Engine } from '../column-types.ts';

/**
 * Whether an inactive account was deactivated by somebody who runs the district. Of those deactivated so far the record
 * says by whom; it is read first, since nobody reaches the table while it changes.
 */
export async function up(db: Kysely<unknown>, engine: Engine): Promise<void> {
  const t = columnTypes(engine);
  const { rows } = await sql<Deed>`select audit.subject_id as about, audit.before, audit.after, actors.role
    from audit join users on users.id = audit.subject_id and users.is_active = 0
      left join users as actors on actors.id = audit.actor_id
    where audit.subject = 'user' and audit.action in ('account.create', 'account.change')
    order by audit.id`.execute(db);
  const byDistrict = new Map<number, boolean>();
  for (const { about, before, after, role } of rows) {
    if (isActiveIn(before) !== false && isActiveIn(after) === false) {
      byDistrict.set(Number(about), role === 'admin');
    }
  }
  await sql`alter table users add column deactivated_by_district ${t.flag('deactivated_by_district')}
    not null default 0`.execute(db);
  for (const [id, isIt] of byDistrict) {
    if (isIt) await sql`update users set deactivated_by_district = 1 where id = ${id}`.execute(db);
  }
}

type Deed = Readonly<{ about: number; before: string | null; after: string | null; role: string | null }>;

function isActiveIn(recorded: string | null): unknown {
  return ((JSON.parse(recorded ?? 'null') ?? {}) as { isActive?: unknown }).isActive;
}
