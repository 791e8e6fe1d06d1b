import { sql } from 'kysely';
import { type Database, transaction } from '#server/db/database.ts';
import { hashToken } from '#server/secrets.ts';
import { instantOf } from '#shared/calendar-date.ts';
import { SIGN_INS } from '../scripts/demo/people.ts';
import { randomFrom } from '../scripts/demo/random.ts';

const VOLUNTEERS = 60;

type Candidate = { userId: number; email: string; schoolId: number; entryId: number; activityId: number };

/** The users who send the requests, and the records in the requests. They are the same on every server. */
export type Targets = Readonly<{
  admin: { token: string };
  volunteers: readonly Readonly<Candidate & { token: string }>[];
  schools: readonly { id: number; activityIds: readonly number[] }[];
}>;

/** Chooses the users who send requests and signs them in; their tokens are the same in every copy of the data. */
export async function chooseTargets(database: Database): Promise<Targets> {
  const { db } = database;
  const { rows: candidates } = await sql<Candidate>`
    select e.user_id as "userId", u.email, e.school_id as "schoolId", e.id as "entryId", e.activity_id as "activityId"
    from (select user_id, school_id, max(id) as id from time_entries where deleted_at is null group by user_id, school_id) as last
    join time_entries e on e.id = last.id
    join users u on u.id = e.user_id and u.is_active = 1 and u.role = 'user'
    join user_schools m on m.user_id = e.user_id and m.school_id = e.school_id and m.status = 'active'
    join activities a on a.id = e.activity_id and a.is_active = 1 and a.requires_description = 0
    order by e.user_id, e.school_id`.execute(db);
  const chosen = randomFrom('cast').shuffled(candidates).slice(0, VOLUNTEERS);
  const volunteers = chosen.map((one) => ({ ...one, token: tokenOf(one.userId) }));
  const admin = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', SIGN_INS.administrator)
    .executeTakeFirstOrThrow();
  const activities = await db.selectFrom('activities').select(['id', 'school_id']).orderBy('id').execute();
  const schools = [...Map.groupBy(activities, (row) => row.school_id)].map(([id, rows]) => ({
    id,
    activityIds: rows.map((row) => row.id),
  }));
  await signIn(database, [admin.id, ...new Set(volunteers.map((one) => one.userId))]);
  return { admin: { token: tokenOf(admin.id) }, volunteers, schools };
}

function tokenOf(userId: number): string {
  return `bench-session-of-user-${String(userId).padStart(20, '0')}`;
}

async function signIn(database: Database, userIds: readonly number[]): Promise<void> {
  const now = instantOf(Date.now());
  const rest = { created_at: now, last_used_at: now, address: '127.0.0.1', agent: 'bench' };
  const rows = userIds.map((id) => ({ token_hash: hashToken(tokenOf(id)), user_id: id, ...rest }));
  await transaction(database, async (trx) => {
    await trx.deleteFrom('sessions').execute();
    await trx.insertInto('sessions').values(rows).execute();
  });
}
