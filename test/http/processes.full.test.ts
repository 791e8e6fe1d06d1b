import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent, type ClientRequest, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openDatabase } from '#server/db/connect.ts';
import { type Child, type Place, runChild, startChild } from '#test/child.ts';
import { ADMIN_SETTINGS, openDistrict } from '#test/district.ts';
import { atEnd, migratedPlace } from '#test/harness.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAIN = join(ROOT, 'src/app/server/main.ts');
const RESTART = join(ROOT, 'scripts/restart-processes.mjs');
/** Longer than the exchange itself takes: such a call begins at one process and ends while that leaves. */
const SLOW_MS = 400;
const TOKEN = 'a-token-of-the-metrics';
// Each of them starts the product several times.
vi.setConfig({ testTimeout: 600_000 });

/**
 * Versions of the program in folders of their own, one of which a link names, as install-service lays them out. Each is
 * this program under another name of the district, by which it is known.
 */
function somePrograms(dataDir: string) {
  const home = `${dataDir}-programs`;
  const link = join(home, 'current');
  const use = (name: string) => {
    symlinkSync(name, `${link}.new`);
    renameSync(`${link}.new`, link);
  };
  const add = (name: string, code: string) => {
    mkdirSync(join(home, name), { recursive: true });
    writeFileSync(join(home, name, 'main.mjs'), code);
    use(name);
  };
  atEnd(() => rmSync(home, { recursive: true, force: true }));
  return {
    use,
    add: (name: string) => add(name, `process.env.DISTRICT_NAME = '${name}'; await import('${MAIN}');`),
    addBroken: (name: string) => add(name, 'process.exit(7);'),
    main: join(link, 'main.mjs'),
  };
}

/**
 * Calls that go on until told to stop, over connections that are kept and others that are not, some with a body that
 * takes its time; counts what fails.
 */
function aLoad(child: Child, token: string, activityId: number) {
  const failures: string[] = [];
  const stopped = new AbortController();
  let logged = 0;
  const log = { activityId, hours: 0.25 };
  const clients = Array.from({ length: 8 }, async (_, number) => {
    const agent = new Agent({ keepAlive: number % 2 === 0 });
    while (!stopped.signal.aborted) {
      const isLogging = number < 4;
      const sent = isLogging
        ? send(child, 'POST /api/time-entries', { token, agent, body: log, isHeldBack: number < 2 })
        : send(child, 'GET /api/profile', { token, agent });
      if (number < 2) void pause(SLOW_MS).then(sent.end);
      const status = await sent.status.catch(String);
      if (status !== (isLogging ? 201 : 200)) failures.push(`${isLogging ? 'log' : 'read'}: ${status}`);
      else if (isLogging) logged += 1;
    }
    agent.destroy();
  });
  return {
    failures,
    logged: () => logged,
    stop: async () => {
      stopped.abort();
      await Promise.all(clients);
    },
  };
}

type Sending = { token: string; agent?: Agent; body?: object; isHeldBack?: boolean };

/** Sends a call; what is held back is sent with `end`. */
function send(child: Child, call: string, { token, agent, body, isHeldBack = false }: Sending) {
  const [method = '', path = ''] = call.split(' ');
  const text = body === undefined ? '' : JSON.stringify(body);
  let asked: ClientRequest | undefined;
  const status = new Promise<number>((resolve, reject) => {
    asked = request(`${child.origin}${path}`, {
      method,
      ...(agent === undefined ? {} : { agent }),
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': String(text.length) }),
      },
    });
    asked.once('error', reject);
    asked.once('response', (reply) => {
      reply.resume();
      reply.once('error', reject);
      reply.once('end', () => resolve(reply.statusCode ?? 0));
    });
    if (isHeldBack) asked.write(text.slice(0, 5));
    else asked.end(text);
  });
  return { status, end: () => asked?.end(text.slice(5)) };
}

/** The processes that a server consists of, by their ids. */
function processesOf({ pid }: Pick<Child, 'pid'>): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.split(' ').filter(Boolean).map(Number);
}

/** Sends SIGHUP and waits for what comes of it, as the service's reload does. */
function restartOf({ dataDir }: Pick<Place, 'dataDir'>, { pid }: Child) {
  return new Promise<{ code: number | null; said: string }>((resolve) => {
    const child = spawn(process.execPath, [RESTART], {
      env: { DATA_DIR: dataDir, MAINPID: String(pid) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.once('close', (code) => resolve({ code, said }));
  });
}

/** How many processes /readyz counts, and whether one does not come up; the status where nobody serves. */
async function standing(child: Child): Promise<unknown> {
  const { status, body } = await child.call('GET /readyz').catch(() => ({ status: 0, body: undefined }));
  return [status, body?.processes?.running, body?.processes?.isFailing];
}

const SLOWLY = { timeout: 150_000, interval: 50 };

test('SIGHUP exchanges all processes for new ones of the program on disk, and no request fails meanwhile', async () => {
  const place = await migratedPlace();
  const programs = somePrograms(place.dataDir);
  programs.add('first');
  const child = await startChild(place, { ...ADMIN_SETTINGS, PROCESSES: '2' }, programs.main);
  const { volunteer, activity } = await openDistrict(child);
  await expect.poll(() => standing(child), SLOWLY).toEqual([200, 2, false]);
  const before = processesOf(child);
  const version = async () => (await child.call('GET /api/config')).body.districtName;
  const restart = () => restartOf(place, child);
  expect(await version()).toBe('first');

  const load = aLoad(child, volunteer, activity.id);
  programs.add('second');
  expect(await restart()).toEqual({ code: 0, said: '' });
  // Not at once: a connection that is kept has one more answer of the former process.
  await expect.poll(version).toBe('second');
  await expect.poll(() => processesOf(child).filter((pid) => before.includes(pid)), SLOWLY).toEqual([]);
  expect([processesOf(child).length, await standing(child)]).toEqual([2, [200, 2, false]]);

  programs.addBroken('third');
  const broken = { code: 1, said: 'The processes from before go on: it ended with exit code 7\n' };
  expect(await restart()).toEqual(broken);
  await expect.poll(() => child.stdout()).toContain('was not restarted, the processes from before go on');

  programs.use('second');
  const database = await openDatabase(place);
  atEnd(() => database.close());
  // As if that version brought a step more.
  await database.db
    .deleteFrom('schema_migrations' as 'users')
    .where('name' as 'email', '=', '0047-lasting-keys')
    .execute();
  expect((await restart()).said).toContain('go on: The version on the disk changes the database');

  expect([await version(), await standing(child)]).toEqual(['second', [200, 2, false]]);
  await load.stop();
  expect(load.failures).toEqual([]);
  expect(load.logged()).toBeGreaterThan(0);
  const { count } = await database.db
    .selectFrom('time_entries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBe(load.logged());
  expect(await child.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('a process that dies is replaced, and while none comes up /readyz and the log say so', async () => {
  const place = await migratedPlace();
  const programs = somePrograms(place.dataDir);
  programs.add('first');
  const settings = { ...ADMIN_SETTINGS, PROCESSES: '2', METRICS_TOKEN: TOKEN };
  const child = await startChild(place, settings, programs.main);
  await expect.poll(() => standing(child), SLOWLY).toEqual([200, 2, false]);
  const figures = await child.call('GET /metrics', { token: TOKEN });
  const running = /^vtt_up_seconds\{process="(\d)"\}/gm;
  expect([...figures.text.matchAll(running)].map(([, number]) => number).toSorted()).toEqual(['1', '2']);
  expect(figures.text.match(/^vtt_database_up/gm)).toHaveLength(1);

  const [one = 0] = processesOf(child);
  process.kill(one, 'SIGSTOP');
  // Of these, at least one is dealt to the process that does not take it any more.
  const dealt = Array.from({ length: 4 }, () => {
    const agent = new Agent({ keepAlive: false });
    return send(child, 'GET /api/schools/public', { token: '', agent }).status.catch(() => 'broken');
  });
  await expect.poll(async () => Promise.race(dealt), SLOWLY).toBe(200);
  process.kill(one, 'SIGKILL');
  expect(await Promise.all(dealt)).toEqual(expect.arrayContaining([200, 'broken']));
  await expect.poll(() => child.stdout(), SLOWLY).toContain('was ended by SIGKILL: another takes its place');
  // The other one serves meanwhile.
  expect((await child.call('GET /api/schools/public')).status).toBe(200);
  await expect.poll(() => standing(child), SLOWLY).toEqual([200, 2, false]);

  programs.addBroken('second');
  const [first = 0, second = 0] = processesOf(child);
  process.kill(first, 'SIGKILL');
  await expect.poll(() => standing(child), SLOWLY).toEqual([200, 1, true]);
  await expect
    .poll(() => child.stdout())
    .toContain('process of the server did not come up: it ended with exit code 7');
  process.kill(second, 'SIGKILL');
  await expect.poll(() => standing(child), SLOWLY).toEqual([503, 0, true]);
  const refused = await child.call('GET /api/schools/public');
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '5']);

  programs.use('first');
  await expect.poll(() => standing(child), SLOWLY).toEqual([200, 2, false]);
  expect((await child.call('GET /api/schools/public')).status).toBe(200);
  expect(await child.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('what stops the start of one process stops that of several, in the same words', async () => {
  const place = await migratedPlace();
  const settings = { ADMIN_EMAIL: 'ada@maplegrove.example', ADMIN_PASSWORD: 'password1' };
  const [several, alone] = await Promise.all([
    runChild(place, { ...settings, PROCESSES: '2' }),
    runChild(place, settings),
  ]);
  expect(several).toEqual(alone);
  expect([several.code, several.stderr]).toEqual([78, expect.stringMatching(/^ADMIN_PASSWORD: .+\n$/)]);
});

test('a server that is stopped while some of its processes still start has stopped well', async () => {
  const child = await startChild(await migratedPlace(), { PROCESSES: '3' });
  expect(await child.end('SIGTERM')).toEqual({ code: 0, signal: null });
});

test('all processes end with the one that started them', async () => {
  const place = await migratedPlace();
  const child = await startChild(place, { PROCESSES: '2' });
  const processes = processesOf(child);
  await child.end('SIGKILL');
  const isThere = (pid: number) => {
    try {
      return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
    } catch {
      return false;
    }
  };
  await expect.poll(() => processes.filter(isThere), SLOWLY).toEqual([]);
});
