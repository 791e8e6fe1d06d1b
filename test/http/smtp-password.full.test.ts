import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import { runCommand } from '../command.ts';
import { atEnd, emptyPlace, migratedPlace } from '../harness.ts';
import { ADMIN, ADMIN_SETTINGS } from '../open-district.ts';
import { type Child, type Place, startChild } from '../server-process.ts';

vi.setConfig({ testTimeout: 120_000 });

const PASSWORD = 'plum+and/pear%';
/** However it is written: as it is, in an address, or as it goes over the line. */
const FORMS = [
  PASSWORD,
  encodeURIComponent(PASSWORD),
  Buffer.from(PASSWORD).toString('base64'),
  Buffer.from(`\0hours\0${PASSWORD}`).toString('base64'),
];
const SETTINGS = '/api/admin/settings';

test('no log or backup contains the mail server’s password, even if the mail server repeats it', async () => {
  const place = await migratedPlace();
  const server = await aTalkativeServer();
  const url = `smtp://hours:${encodeURIComponent(PASSWORD)}@127.0.0.1:${server.port}`;
  const child = await startChild(place, { ...ADMIN_SETTINGS, LOG_LEVEL: 'debug', REQUEST_LOG: 'on' });
  const token: string = (await child.call('POST /api/auth/login', { body: ADMIN })).body.token;
  const save = (mail: object) => child.call(`PUT ${SETTINGS}`, { token, body: { mail } });
  // A slip of the keyboard that is refused, then the right one.
  const refused = await save({ url: url.replace('smtp://', 'smpt://') });
  expect((await save({ url })).status).toBe(200);
  const tried = await child.call(`POST ${SETTINGS}/test-mail`, { token, body: { to: ADMIN.email } });
  expect([refused.status, tried.status]).toEqual([400, 409]);
  await child.call('POST /api/auth/forgot-password', { body: { email: ADMIN.email } });
  await vi.waitFor(() => expect(child.stdout()).toContain('email not sent, will retry'), { timeout: 20_000 });
  await child.end('SIGTERM');
  expect(server.heard()).toContain(FORMS[3]);

  const later = await aStartWithAnotherKey(place);
  const log = [child.stdout(), child.stderr(), refused.text, tried.text, later].join('\n');
  expect(formsIn(log)).toEqual([]);
  expect(log).toContain(SETTINGS);

  const { files, restored } = await backedUp(place);
  expect(files.filter(({ content }) => formsIn(content).length > 0)).toEqual([]);
  expect(formsIn(restored)).toEqual([]);
  // What is there is the sealed form, and where the server is.
  expect(restored).toContain(`127.0.0.1:${server.port}`);
});

const ANOTHER_KEY = { SECRET_KEY: 'another-key'.repeat(4) };

const formsIn = (text: string) => FORMS.filter((form) => text.includes(form));

/** What a server says that can no longer read the mail server. */
async function aStartWithAnotherKey(place: Place): Promise<string> {
  expect((await runCommand('rotate-key', place, ['--yes'], ANOTHER_KEY)).code).toBe(0);
  const child: Child = await startChild(place, { LOG_LEVEL: 'debug', ...ANOTHER_KEY });
  await child.end('SIGTERM');
  return child.stdout() + child.stderr();
}

/** The files of a backup, and every row that it restores: on PostgreSQL the file itself is compressed. */
async function backedUp(from: Place) {
  const to = mkdtempSync(join(tmpdir(), 'volunteer-time-backup-'));
  atEnd(() => rmSync(to, { recursive: true, force: true }));
  expect(await runCommand('backup', from, ['--to', to], ANOTHER_KEY)).toMatchObject({ code: 0 });
  const files = readdirSync(to, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name, parentPath }) => ({ name, content: readFileSync(join(parentPath, name), 'latin1') }));
  expect(files.map(({ name }) => name)).toContain('settings.json');
  const place = await emptyPlace();
  // Named, because a district without schools and hours is not restored otherwise.
  const one = ['--from', join(to, readdirSync(to)[0] ?? '')];
  expect(await runCommand('restore', place, one, ANOTHER_KEY)).toMatchObject({ code: 0 });
  const database = await openDatabase(place);
  const tables = await database.db.introspection.getTables();
  const rows = await Promise.all(
    tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(database.db)),
  );
  await database.close();
  return { files, restored: JSON.stringify(rows) };
}

/** A mail server that refuses every login with what it was sent, as some do. */
async function aTalkativeServer() {
  let heard = '';
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write('220 mail\r\n');
    socket.setEncoding('utf8').on('data', (line: string) => {
      heard += line;
      const isHello = line.startsWith('EHLO');
      const plain = Buffer.from(line.split(' ')[2] ?? '', 'base64').toString();
      const said = plain.replaceAll('\0', ' ');
      socket.write(
        isHello ? '250-mail\r\n250 AUTH PLAIN\r\n' : `535 Wrong: ${line.trim()} (${said.trim()})\r\n`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as { port: number }).port, heard: () => heard };
}
