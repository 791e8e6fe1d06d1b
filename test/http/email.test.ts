import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import PostalMime from 'postal-mime';
import { expect, test } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { fullTest } from '../full-test.ts';
import { migratedPlace } from '../harness.ts';
import { linkIn, startMailServer } from '../mail-server.ts';
import { ADMIN, ADMIN_SETTINGS } from '../open-district.ts';
import { startChild } from '../server-process.ts';

const SETTINGS = {
  ...ADMIN_SETTINGS,
  MAIL_FROM: 'hours@maplegrove.example',
  PUBLIC_URL: 'https://hours.maplegrove.example',
};

type Place = Awaited<ReturnType<typeof migratedPlace>>;
type Child = Awaited<ReturnType<typeof startChild>>;

const forget = (child: Child) =>
  child.call('POST /api/auth/forgot-password', { body: { email: ADMIN.email } });

async function mailIn(place: Place) {
  const database = await openDatabase(place);
  const rows = await database.db.selectFrom('emails').selectAll().orderBy('id').execute();
  await database.close();
  return rows;
}

/** The clock moves while nothing runs, so that pauses and leases are over. */
async function letTimePass(place: Place) {
  const database = await openDatabase(place);
  await database.db
    .updateTable('emails')
    .set({ due_at: '2020-01-01T00:00:00.000Z' as Instant, leased_until: null })
    .execute();
  await database.close();
}

async function until(what: () => Promise<boolean> | boolean) {
  while (!(await what())) await new Promise((resume) => setTimeout(resume, 20));
}

fullTest('queued email is sent after a restart, once the mail server is available', async () => {
  const place = await migratedPlace();
  const server = await startMailServer();
  await server.stop();
  const first = await startChild(place, { ...SETTINGS, SMTP_URL: server.url });
  expect((await forget(first)).status).toBe(200);
  await until(() => first.stdout().includes('email not sent, will retry'));
  expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null });
  const [waiting] = await mailIn(place);
  expect(waiting).toMatchObject({ attempts: 1, sent_at: null, dropped_at: null });
  // The log contains neither the address nor the link.
  const logged = first
    .stdout()
    .split('\n')
    .filter((line) => /^\S+Z \w+ /.test(line));
  expect(logged).toHaveLength(1);
  expect(logged[0]).not.toMatch(/token=|ada@/);

  await letTimePass(place);
  const back = await startMailServer({ port: server.port });
  const second = await startChild(place, { ...SETTINGS, SMTP_URL: server.url });
  const [letter] = await back.wait(1);
  expect(letter?.messageId).toBe(`<${waiting?.message_id}>`);
  const reset = await second.call('POST /api/auth/reset-password', {
    body: { token: linkIn(letter, 'token'), newPassword: 'brand-new-91' },
  });
  expect(reset.status).toBe(200);
  await back.wait(2);
  expect(await second.end('SIGTERM')).toEqual({ code: 0, signal: null });
  expect((await mailIn(place)).map((row) => [row.kind, row.sealed])).toEqual([
    ['reset-link', null],
    ['password-changed', null],
  ]);
});

fullTest('an email is resent with the same Message-ID if the server died while sending it', async () => {
  const place = await migratedPlace();
  const server = await startMailServer();
  server.setMood('slow');
  const first = await startChild(place, { ...SETTINGS, SMTP_URL: server.url });
  await forget(first);
  await until(() => server.tries() === 1);
  await first.end('SIGKILL');
  await letTimePass(place);
  const second = await startChild(place, { ...SETTINGS, SMTP_URL: server.url });
  await until(async () => (await mailIn(place)).every((row) => row.sent_at !== null));
  await second.end('SIGTERM');
  const ids = new Set((await server.letters()).map((letter) => letter.messageId));
  expect(server.tries()).toBe(2);
  expect(ids.size).toBe(1);
});

test('without a mail server, an email is written to a file, with one log line', async () => {
  const place = await migratedPlace();
  const child = await startChild(place, { ...SETTINGS });
  await forget(child);
  await until(() => child.stdout().includes('.eml'));
  await child.end('SIGTERM');
  const lines = child
    .stdout()
    .split('\n')
    .filter((line) => line.includes('.eml'));
  expect(lines).toHaveLength(1);
  const [, file = ''] = / file=(\S+)$/.exec(lines[0] ?? '') ?? [];
  expect(
    readdirSync(join(place.dataDir, 'outbox')).map((name) => join(place.dataDir, 'outbox', name)),
  ).toEqual([file]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(join(place.dataDir, 'outbox')).mode & 0o777).toBe(0o700);
  const token = linkIn(await PostalMime.parse(readFileSync(file)), 'token');
  expect(token).toHaveLength(43);
  expect(child.stdout()).not.toContain(token);
});
