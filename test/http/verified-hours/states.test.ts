import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyRollups } from '#features/time-entries/rollups/server/rollups.ts';
import { anAdministrator } from '#test/builders.ts';
import { type Reply, startApp, type TestApp } from '#test/harness.ts';
import { recordOf } from '../../audit-log.ts';
import { ABUSES } from './abuse-cases.ts';
import { verifiedHoursPage } from './docs-page.ts';
import { aWorld, type Entry, seen, type World } from './fixtures.ts';
import { OPERATIONS } from './operations.ts';
import { ERRORS, type Event, type Refusal, STATES, TABLE } from './state-table.ts';

const OUTSIDE_TESTS = '../../../src/features/verification/external-verifiers/server/routes.engines.test.ts';

let app: TestApp;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
beforeAll(async () => {
  app = await startApp();
  ada = await anAdministrator(app);
});

test('an entry in each state looks as the table of states describes', async () => {
  const world = await aWorld(app, ada);
  const states = await seen(world);
  expect(world.entries.map(({ id, state }) => [state, states.get(id)])).toEqual(
    Object.entries(STATES).map(([state, [, words]]) => [state, words]),
  );
});

describe.each(Object.entries(TABLE) as [Event, (typeof TABLE)[Event]][])('%s', (event, { cells, record }) => {
  test('has the effect in the table on an entry in each state', async () => {
    const world = await aWorld(app, ada);
    const before = await records(world);
    const letters = await countVerifierEmails();
    const refused = await performEvent(world, event);
    const states = await seen(world);
    const found = world.entries.map(({ id, state }) => {
      const said = refused.get(id) ?? states.get(id);
      return [state, said === STATES[state][1] ? 'same' : said];
    });
    expect(Object.fromEntries(found)).toEqual(cells);
    for (const { id, state } of world.entries) {
      if (refused.has(id)) expect([state, states.get(id)]).toEqual([state, STATES[state][1]]);
    }
    const after = await records(world);
    const added = world.entries.map(({ id, state }) => [state, after.get(id)?.slice(before.get(id)?.length)]);
    const isUntouched = ({ id, state }: Entry) =>
      refused.has(id) || ('at' in OPERATIONS[event] && cells[state] === 'same');
    expect(added).toEqual(world.entries.map((entry) => [entry.state, isUntouched(entry) ? [] : record]));
    expect(await countVerifierEmails()).toBe(letters);
    expect(await verifyRollups(app.deps.database)).toEqual([]);
    await expectVolunteerInformed(world, states);
  });
});

test('each abuse of an external verifier’s link has its test', () => {
  const tests = readFileSync(join(import.meta.dirname, OUTSIDE_TESTS), 'utf8');
  expect(ABUSES.filter(([, name]) => !tests.includes(`test('${name}',`))).toEqual([]);
});

test('docs/verified-hours.md is up to date (vitest -u writes it)', async () => {
  await expect(verifiedHoursPage()).toMatchFileSnapshot('../../../docs/verified-hours.md');
});

/** Performs an event; returns the errors by entry. */
async function performEvent(world: World, event: Event): Promise<ReadonlyMap<number, string>> {
  const refused = new Map<number, string>();
  const deed = OPERATIONS[event];
  if ('at' in deed) {
    await deed.at(world);
    return refused;
  }
  for (const entry of world.entries) {
    const answer = refusalIn(await deed.to(world, entry), world, entry);
    if (answer !== undefined) refused.set(entry.id, answer);
  }
  return refused;
}

async function records({ entries }: World): Promise<ReadonlyMap<number, string[]>> {
  const found = new Map<number, string[]>();
  for (const { id } of entries) {
    found.set(
      id,
      (await recordOf(app, 'time-entry', id)).map(({ action }) => action),
    );
  }
  return found;
}

async function countVerifierEmails(): Promise<number> {
  const { db } = app.deps.database;
  const rows = await db.selectFrom('emails').select('id').where('kind', '=', 'outside-verifier').execute();
  return rows.length;
}

/** The name of a refusal, or nothing when it was done. */
function refusalIn(
  { status, body, text }: Reply,
  { school, plain }: World,
  { coach }: Entry,
): string | undefined {
  const skipped: string | undefined = body?.skipped?.[0]?.why;
  if (status < 400 && skipped === undefined) return undefined;
  const names = [school.name, plain.name].map((name) => name.replaceAll(/[.*+?]/g, '\\$&')).join('|');
  const sentence = (skipped ?? body?.error ?? text)
    .replace(new RegExp(names), 'Lincoln')
    .replace(coach, 'the coach')
    // The day before which one of the events closes.
    .replace('Mar 1 ', 'Feb 8 ')
    .replace(/^(You can't name a supervisor for) .*$/, '$1 …')
    .replace(/^(Cannot delete) .*(: it still has) .*$/, '$1 …$2 …');
  const found = (Object.keys(ERRORS) as Refusal[]).find(
    (name) => ERRORS[name][0] === status && ERRORS[name][1] === sentence,
  );
  return found ?? `${status} ${sentence}`;
}

/** Ann reads the same, and may change only what nobody decided about. */
async function expectVolunteerInformed(
  { ann, send, entries }: World,
  states: ReadonlyMap<number, string>,
): Promise<void> {
  const { status, body } = await send('GET /api/time-entries?limit=100', ann);
  if (status === 401) return;
  const known = new Set(entries.map(({ id }) => id));
  for (const entry of body.timeEntries) {
    if (!known.has(entry.id)) continue;
    const words = states.get(entry.id) ?? '';
    const status = entry.verification?.status ?? 'no state';
    const expected = /^(no state|waits|declined)/.exec(words)?.[0] ?? 'verified';
    expect([words, status]).toEqual([words, expected === 'waits' ? 'waiting' : expected]);
    expect([words, entry.canEdit]).toEqual([words, ['no state', 'waits'].includes(expected)]);
    expect(entry.verification?.by ?? 'your school').not.toMatch(/Maria|Tom|Ada/);
  }
}
