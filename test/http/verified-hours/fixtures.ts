import { sql } from 'kysely';
import { addDays, day } from '#shared/calendar-date.ts';
import { aLetterAbout, anActivity, aPerson, aPersonWithRole, aSchool } from '../../builders.ts';
import { type Reply, type TestApp, TODAY } from '../../harness.ts';
import { STATES, type State } from './state-table.ts';

type Person = Awaited<ReturnType<typeof aPerson>>;

/** An entry in one of the states. */
export type Entry = Readonly<{
  id: number;
  state: State;
  hours: number;
  date: string;
  activity: { id: number; schoolId: number; categoryId: number; name: string };
  coach: string;
  /** The token in the link that was emailed to the coach. */
  token: string;
}>;

/** A school that verifies hours and one that does not, their people, and an entry in every state. */
export type World = Readonly<{
  app: TestApp;
  ada: Person;
  ann: Person;
  maria: Person;
  tom: Person;
  school: { id: number; name: string };
  plain: { id: number; name: string };
  entries: readonly Entry[];
  send: (methodAndPath: string, by: { token: string } | undefined, body?: object) => Promise<Reply>;
}>;

/** The period before this day is closed; one entry is from that period. */
const CLOSED_BEFORE = '2026-02-08';
const CLOSED_DAY = '2026-02-05';

let worlds = 0;

export async function aWorld(app: TestApp, ada: Person): Promise<World> {
  worlds += 1;
  const school = await aSchool(app, { name: `Lincoln ${worlds}`, verification: 'on' });
  const plain = await aSchool(app, { name: `Plain ${worlds}`, verification: 'off' });
  const both = [school, plain];
  const ann = await aPerson(app, { schools: both, firstName: 'Ann', lastName: 'Lee' });
  const maria = await aPersonWithRole(app, 'coordinator', school, { firstName: 'Maria', lastName: 'Lopez' });
  const tom = await aPersonWithRole(app, 'school-admin', school, { firstName: 'Tom', lastName: 'Tran' });
  const send: World['send'] = async (methodAndPath, by, body) =>
    app.call(methodAndPath, { token: by?.token, ...(body === undefined ? {} : { body }) });
  const entries: Entry[] = [];
  const world = { app, ada, ann, maria, tom, school, plain, entries, send };
  for (const state of Object.keys(STATES) as State[]) entries.push(await anEntryThat(world, state));
  await must(send(`PUT /api/admin/schools/${school.id}`, ada, { closedBefore: CLOSED_BEFORE }));
  return world;
}

/** Returns the reply; throws if it is an error. */
export async function must(sent: Promise<Reply>): Promise<Reply> {
  const reply = await sent;
  if (reply.status >= 400) throw new Error(`rejected: ${reply.status} ${reply.text}`);
  return reply;
}

/** Changes an activity, school or category. */
export async function change(
  { send, ada }: World,
  what: `${'activities' | 'schools' | 'categories'}/${number}`,
  body: object,
): Promise<Reply> {
  return must(send(`PUT /api/admin/${what}`, ada, body));
}

async function anEntryThat(world: World, state: State): Promise<Entry> {
  const { app, ann, maria, plain, school, send } = world;
  const at = world.entries.length;
  const activity = await anActivity(app, { school: state === 'off' ? plain : school });
  if (state === 'trusted') await change(world, `activities/${activity.id}`, { verifiedBy: 'trusted' });
  const hours = state === 'flagged' ? 9 : 2;
  const date = state === 'closed' ? CLOSED_DAY : addDays(day('2026-02-10'), at);
  const { body } = await must(
    send('POST /api/time-entries', ann, { activityId: activity.id, hours, entryDate: date }),
  );
  const { id } = body.timeEntry;
  const decide = (decision: object) =>
    must(send('POST /api/admin/verifications', maria, { entryIds: [id], ...decision }));
  const coach = `coach-${state}-${worlds}@rink.example`;
  if (['asked', 'outside'].includes(state)) {
    const named = { verifiedBy: 'outside', outsideVerifier: coach };
    await change(world, `activities/${activity.id}`, named);
  }
  const about = [{ entryId: id, version: 1 }];
  const { token } = await aLetterAbout(app, { school, address: coach, about });
  if (['verified', 'reopen'].includes(state)) await decide({ decision: 'verify' });
  if (state === 'adjusted') await decide({ decision: 'verify', hours: 1.5 });
  if (['declined', 'reopenDeclined'].includes(state))
    await decide({ decision: 'decline', reason: 'Not there' });
  if (state === 'outside') {
    const decisions = [{ entryId: id, decision: 'verify' }];
    await must(send(`POST /api/verify/${token}`, undefined, { decisions }));
  }
  if (['reopen', 'reopenDeclined'].includes(state)) {
    await must(send(`POST /api/time-entries/${id}/reopen-request`, ann, { note: 'It was longer' }));
  }
  // States without an email to the coach are tested with one about the entry's current version.
  const again = ['asked', 'outside'].includes(state)
    ? token
    : (
        await aLetterAbout(app, {
          school,
          address: coach,
          about: [{ entryId: id, version: await versionOf(world, id) }],
        })
      ).token;
  return { id, state, hours, date, activity, coach, token: again };
}

async function versionOf({ app }: World, id: number): Promise<number> {
  const { db } = app.deps.database;
  const row = await db
    .selectFrom('time_entries')
    .select('version')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.version;
}

/** The current state of every entry of a world, described as in `STATES`. */
export async function seen(world: World): Promise<ReadonlyMap<number, string>> {
  const { app, ada, school, plain, send } = world;
  const desk = new Map<number, { asked: { state: string } | null; flags: readonly string[] }>();
  for (const { id } of [school, plain]) {
    const { body } = await must(send(`GET /api/admin/verifications?schoolId=${id}`, ada));
    for (const entry of body.entries) desk.set(entry.id, entry);
  }
  const ids = world.entries.map(({ id }) => id);
  const { rows } = await sql<Row>`select time_entries.*, schools.verification as school_verification,
      users.first_name, users.last_name
    from time_entries join schools on schools.id = time_entries.school_id
    left join users on users.id = time_entries.decided_by
    where time_entries.id in (${sql.join(ids)})`.execute(app.deps.database.db);
  const found = new Map(rows.map((row) => [Number(row.id), row]));
  return new Map(ids.map((id) => [id, wordsFor(found.get(id), desk.get(id))]));
}

type Row = Readonly<{
  id: number;
  school_verification: 'off' | 'on';
  verification: string | null;
  hours_hundredths: number;
  counted_hundredths: number;
  decided_by_external: string | null;
  first_name: string | null;
  last_name: string | null;
  reopen_asked_at: string | null;
  deleted_at: string | null;
}>;

function wordsFor(
  row: Row | undefined,
  desk: { asked: { state: string } | null; flags: readonly string[] } | undefined,
): string {
  if (row === undefined) return 'gone';
  if (row.deleted_at !== null) return 'deleted';
  if (row.school_verification === 'off') return 'no state';
  const first = row.first_name === 'Former' ? `Former ${row.last_name}` : row.first_name;
  const by = row.decided_by_external === null ? (first ?? 'nobody') : 'coach';
  const asked = row.reopen_asked_at === null ? [] : ['reopening requested'];
  if (row.verification === 'declined') return ['declined', by, ...asked].join(', ');
  if (row.verification === 'verified') {
    return [`${row.counted_hundredths / 100} of ${row.hours_hundredths / 100} h`, by, ...asked].join(', ');
  }
  // A waiting entry must be in the verification queue, or no one would see it.
  if (desk === undefined) return 'lost';
  const letter = { sent: 'coach asked', failed: 'coach not reached', stopped: 'coach unsubscribed' }[
    desk.asked?.state ?? ''
  ];
  return [
    'waits',
    ...(letter === undefined ? [] : [letter]),
    ...(desk.flags.length > 0 ? ['flagged'] : []),
    ...asked,
  ].join(', ');
}

/** Today, for hours that are moved to another day. */
export const ANOTHER_DAY = addDays(day(TODAY), -1);
