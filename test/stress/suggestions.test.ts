import { expect, test } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import { atEnd, ENGINE, migratedPlace } from '#test/harness.ts';
import { ADMIN_SETTINGS, openDistrict } from '../open-district.ts';
import { type Child, startChild } from '../server-process.ts';
import { IS_LONG } from '../test-level.ts';
import { randomFrom } from './random.ts';

const PAIRS = IS_LONG ? 200 : 16;
const SEED = Number(process.env['STRESS_SEED'] ?? 20_260_304);

/** What an administrator decides, having seen the suggestion as it was made. */
const DECISIONS = {
  approve: ['POST', '/approve', {}],
  reject: ['POST', '/reject', { reason: 'No room' }],
  delete: ['DELETE', '', { reason: 'Twice' }],
  remove: ['DELETE', '', {}],
} as const;
type Decision = keyof typeof DECISIONS;
const ALL = Object.keys(DECISIONS) as Decision[];

const BECOMES = { approve: 'approved', reject: 'rejected', delete: 'deleted', remove: undefined } as const;

/** Two administrators at two processes on one database decide the same suggestion at the same moment. */
test(`one of two simultaneous decisions on a suggestion is accepted, the other rejected (${PAIRS} pairs)`, async () => {
  const random = randomFrom(SEED);
  const place = await migratedPlace();
  const database = await openDatabase(place);
  atEnd(() => database.close());
  const ada = await startChild(place, { ...ADMIN_SETTINGS, LOG_LEVEL: 'silent' });
  // SQLite has one server, which gets both requests.
  const eve = ENGINE === 'sqlite' ? ada : await startChild(place, { LOG_LEVEL: 'silent' });
  const { admin, volunteer, school, category } = await openDistrict(ada);
  const wins: Record<string, number> = {};

  for (let pair = 1; pair <= PAIRS; pair++) {
    const { body } = await ada.call('POST /api/activity-suggestions', {
      token: volunteer,
      body: { name: `Idea ${pair}`, schoolId: school.id, categoryId: category.id },
    });
    const { id } = body.suggestion;
    const [one, other] = [at(pair), at(Math.floor(random() * ALL.length))];
    const [first, second] = await Promise.all([
      decide(ada, admin, id, one, random() * 4),
      decide(eve, admin, id, other, random() * 4),
    ]);
    const context = [pair, one, first.status, other, second.status];
    const winner = first.status === 200 ? one : other;
    const loser = first.status === 200 ? second : first;
    expect([...context, [first, second].filter(({ status }) => status === 200).length]).toEqual([
      ...context,
      1,
    ]);
    // A suggestion removed for good is gone; for all others the reply says who decided what.
    expect([...context, loser.status]).toEqual([...context, winner === 'remove' ? 404 : 409]);
    expect(loser.body.error).toMatch(
      /^\S.* has already (approved|rejected|deleted) this|^Suggestion not found$/,
    );
    expect([...context, await stored(id)]).toEqual([...context, expectedOf(winner, pair)]);
    wins[winner] = (wins[winner] ?? 0) + 1;
  }
  console.log(`${PAIRS} pairs of decisions on ${ENGINE} (seed ${SEED}): ${JSON.stringify(wins)}`);

  function expectedOf(winner: Decision, pair: number) {
    return {
      status: BECOMES[winner],
      isLinked: winner === 'approve',
      activities: winner === 'approve' ? [`Idea ${pair}`] : [],
      records: 1,
      letters: winner === 'remove' ? 0 : 1,
    };
  }

  // Everything that a decision on this suggestion leaves behind.
  async function stored(id: number) {
    const { db } = database;
    const suggestion = await db
      .selectFrom('activity_suggestions')
      .select(['status', 'approved_activity_id'])
      .where('id', '=', id)
      .executeTakeFirst();
    const activities = await db
      .selectFrom('activities')
      .select('name')
      .where('id', '>', lastActivity)
      .execute();
    const records = await db
      .selectFrom('audit_events')
      .select('id')
      .where('subject', '=', 'suggestion')
      .where('subject_id', '=', id)
      .where('action', '<>', 'suggestion.submit')
      .execute();
    const letters = await db
      .selectFrom('emails')
      .select('id')
      .where('kind', 'like', 'suggestion-%')
      .where('id', '>', lastLetter)
      .execute();
    lastLetter = Math.max(lastLetter, ...letters.map((letter) => letter.id));
    const latest = await db.selectFrom('activities').select('id').orderBy('id', 'desc').executeTakeFirst();
    lastActivity = latest?.id ?? 0;
    return {
      status: suggestion?.status,
      isLinked: (suggestion?.approved_activity_id ?? null) !== null,
      activities: activities.map((activity) => activity.name),
      records: records.length,
      letters: letters.length,
    };
  }
});

// The activity that the district begins with.
let lastActivity = 1;
let lastLetter = 0;

const at = (number: number): Decision => ALL[number % ALL.length] ?? 'approve';

async function decide(child: Child, token: string, id: number, decision: Decision, afterMs: number) {
  await new Promise((resume) => setTimeout(resume, afterMs));
  const [method, path, body] = DECISIONS[decision];
  return child.call(`${method} /api/admin/activity-suggestions/${id}${path}`, {
    token,
    body,
    headers: { 'if-match': '"1"' },
  });
}
