import { beforeAll, describe, expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { CODE_LENGTH, readCode } from '#shared/short-code.ts';
import { anActivity, anAdministrator, aPerson, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { ensureLogAddress } from './actions.ts';

let app: TestApp;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let maria: Awaited<ReturnType<typeof aPerson>>;

beforeAll(async () => {
  app = await startApp();
  lincoln = await aSchool(app, { name: 'Lincoln Elementary' });
  ada = await anAdministrator(app);
  maria = await aPerson(app, { schools: [lincoln] });
});

describe('the log code of an activity', () => {
  test('is created on first use, then stays the same, and contains no similar characters', async () => {
    const fair = await anActivity(app, { school: lincoln, name: 'Book fair' });
    expect(await storedCode(fair.id)).toBeNull();
    const first = await made(fair.id);
    expect(first.code).toMatch(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{2}$/);
    expect(first.address).toMatch(new RegExp(`^http://localhost:\\d+/\\?log=${first.code}$`));
    expect(await made(fair.id)).toEqual(first);
    expect(await storedCode(fair.id)).toHaveLength(CODE_LENGTH);
  });

  test('is the same for concurrent first requests', async () => {
    const fair = await anActivity(app, { school: lincoln });
    const codes = await Promise.all([1, 2, 3].map(async () => (await made(fair.id)).code));
    expect(new Set(codes).size).toBe(1);
  });

  test('can be replaced, which disables the old code and records an audit event', async () => {
    const fair = await anActivity(app, { school: lincoln });
    const { code: old } = await made(fair.id);
    const { code, message } = await made(fair.id, { renew: true });
    expect(message).toBe('The code was replaced. Sheets and posters with the old code no longer work.');
    expect(code).not.toBe(old);
    expect((await opened(old, maria)).status).toBe(404);
    expect((await opened(code, maria)).status).toBe(200);
    const recorded = await app.deps.database.db
      .selectFrom('audit_events')
      .select(['action', 'actor_id', 'school_id'])
      .where('subject', '=', 'activity')
      .where('subject_id', '=', fair.id)
      .where('action', '=', 'activity.log-code')
      .execute();
    expect(recorded).toEqual([{ action: 'activity.log-code', actor_id: ada.id, school_id: lincoln.id }]);
  });

  test('opens the activity for members, even in lowercase or without hyphens', async () => {
    const fair = await anActivity(app, { school: lincoln, name: 'Book fair' });
    const { code } = await made(fair.id);
    for (const typed of [code, code.toLowerCase(), ` ${code.replaceAll('-', '')} `]) {
      const { body } = await opened(typed, maria);
      expect(body).toMatchObject({
        school: { id: lincoln.id, name: 'Lincoln Elementary' },
        activity: { id: fair.id, name: 'Book fair', isActive: true, activeUntil: null },
        isWaiting: false,
      });
    }
  });

  test('shows non-members only the name of the school', async () => {
    const fair = await anActivity(app, { school: lincoln, name: 'Secret surprise' });
    const { code } = await made(fair.id);
    const other = await aPerson(app, { schools: [await aSchool(app)] });
    const { status, body } = await opened(code, other);
    expect([status, body]).toEqual([
      200,
      { school: { id: lincoln.id, name: 'Lincoln Elementary' }, activity: null, isWaiting: false },
    ]);
    const waiting = await aPerson(app, {});
    await app.deps.database.db
      .insertInto('user_schools')
      .values({ user_id: waiting.id, school_id: lincoln.id, status: 'pending', created_at: app.clock.now() })
      .execute();
    expect((await opened(code, waiting)).body).toMatchObject({ activity: null, isWaiting: true });
  });

  test('is rejected if it is wrong or malformed', async () => {
    const fair = await anActivity(app, { school: lincoln });
    const { code } = await made(fair.id);
    const wrong = code.replace(/.$/, (last) => (last === 'Z' ? '2' : 'Z'));
    expect(readCode(wrong)).toBeUndefined();
    const person = await aPerson(app, { schools: [lincoln] });
    const strange = [wrong, 'x', '\u0000', '😀', '//', '0001-01-01', '', '9'.repeat(10_000), '\ud800'];
    for (const typed of strange) {
      const { status, body } = await opened(typed, person);
      expect([400, 404], typed.slice(0, 9)).toContain(status);
      expect(body.error, typed.slice(0, 9)).toMatch(/^This code no longer belongs to an activity/);
    }
  });

  test('is blocked for an account after 20 wrong guesses, without counting correct codes', async () => {
    const fair = await anActivity(app, { school: lincoln });
    const { code } = await made(fair.id);
    const person = await aPerson(app, { schools: [lincoln] });
    for (let at = 0; at < 25; at++) expect((await opened(code, person)).status).toBe(200);
    for (let at = 0; at < 20; at++) expect((await opened('WRNG-2222-22', person)).status).toBe(404);
    expect((await opened('WRNG-2222-22', person)).status).toBe(429);
    expect((await opened(code, person)).status).toBe(429);
    expect((await opened(code, maria)).status).toBe(200);
  });
});

async function made(id: number, body: { renew?: boolean } = {}) {
  const reply = await app.call(`POST /api/admin/activities/${id}/log-code`, { token: ada.token, body });
  expect(reply.status).toBe(200);
  return reply.body as { code: string; address: string; message: string | null };
}

function opened(typed: string, { token }: { token: string }) {
  return app.call('POST /api/log-codes/open', { token, body: { code: typed } });
}

async function storedCode(id: number): Promise<string | null> {
  const { log_code } = await app.deps.database.db
    .selectFrom('activities')
    .select('log_code')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return log_code;
}

test('emails link to the same log code address that administrators get', async () => {
  const fair = await anActivity(app, { school: lincoln });
  const { address } = await transaction(app.deps.database, (trx) => ensureLogAddress(trx, app.deps, fair.id));
  expect((await made(fair.id)).address).toBe(address);
});
