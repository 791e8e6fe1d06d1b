import { connect } from 'node:net';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { aPerson } from '#test/builders.ts';
import { atEnd, emptyPlace, startApp, type TestApp } from '#test/harness.ts';
import { openDatabase } from '../db/database.ts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

let app: TestApp;
let port: number;
beforeAll(async () => {
  app = await startApp();
  await app.app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.app.server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});

describe('the request id in a reply', () => {
  test.each([
    ['GET /api/config', 200],
    ['GET /healthz', 200],
    ['GET /readyz', 200],
    ['GET /api/profile', 401],
    ['GET /api/nothing', 404],
    ['GET /nothing', 404],
    ['GET /%zz', 404],
    [`GET /api/schools/logos/${'x'.repeat(400)}`, 404],
    ['PUT /api/auth/login', 405],
    ['POST /api/auth/login', 400],
  ])('is present and unique: %s', async (call, status) => {
    const [first, second] = [await app.call(call), await app.call(call)];
    expect([first.status, first.headers['x-request-id']]).toEqual([status, expect.stringMatching(ID)]);
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
  });

  test('is present in errors that Node itself sends', async () => {
    const cases = {
      'no HTTP': 'apricot\r\n\r\n',
      'too long a header': `GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
      'no host': 'GET /api/config HTTP/1.1\r\n\r\n',
      'an expectation': 'GET /api/config HTTP/1.1\r\nHost: x\r\nExpect: apricots\r\n\r\n',
    };
    const statuses = [];
    for (const [name, request] of Object.entries(cases)) {
      const answer = await answerTo(request);
      expect([name, answer]).toEqual([name, expect.stringMatching(/^x-request-id: [0-9a-f-]{36}\r$/im)]);
      statuses.push(Number(answer.split(' ')[1]));
    }
    expect(statuses).toEqual([400, 431, 400, 417]);
  });

  test("is never the client's own id", async () => {
    const { headers } = await app.call('GET /api/config', { headers: { 'x-request-id': 'apricot' } });
    expect(headers['x-request-id']).toMatch(ID);
  });

  test('is the id in the audit log', async () => {
    const ann = await aPerson(app);
    const body = { firstName: 'Anna' };
    const changed = await app.call('PUT /api/profile', { token: ann.token, body });
    expect(changed.status).toBe(200);
    const row = await app.deps.database.db
      .selectFrom('audit_events')
      .select('request_id')
      .where('subject_id', '=', ann.id)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(row?.request_id).toBe(changed.headers['x-request-id']);
  });
});

test('a slow query is logged with its text but not its values', async () => {
  const told: [string, number][] = [];
  const slow = {
    afterMs: 0,
    report: (query: string, milliseconds: number) => told.push([query, milliseconds]),
  };
  const database = await openDatabase(await emptyPlace(), { slow });
  atEnd(() => database.close());
  await sql`select ${'apricot'} as fruit`.execute(database.db);
  expect(told.at(-1)).toEqual([expect.stringMatching(/^select \+?(\?|\$1) as fruit$/), expect.any(Number)]);

  const [patient, patientlyTold]: [number, string[]] = [60_000, []];
  const quick = await openDatabase(await emptyPlace(), {
    slow: { afterMs: patient, report: (query) => patientlyTold.push(query) },
  });
  atEnd(() => quick.close());
  await sql`select 1`.execute(quick.db);
  expect(patientlyTold).toEqual([]);
});

function answerTo(request: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
      if (answer.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    socket.write(request);
  });
}
