import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { factsNow } from '#server/db/dump/pre-update-copy.ts';
import { atEnd, emptyPlace } from '#test/harness.ts';
import { LATER_VERSION, oldDistrict } from '../../old-version-district.ts';
import { answers, keepRunning, run, waitUntilClosed } from './starter.ts';

// Each of them starts the product several times.
vi.setConfig({ testTimeout: 120_000 });

describe('a server that', () => {
  test('crashes is restarted after growing pauses, and the log line has the reason', async () => {
    const started = await keepRunning();
    const first = await started.readyAt(1);
    process.kill(await started.server(), 'SIGKILL');
    const second = await started.readyAt(2);
    expect([await answers(first), await answers(second)]).toEqual([false, true]);
    process.kill(await started.server(), 'SIGUSR2');
    expect(await answers(await started.readyAt(3))).toBe(true);
    expect(started.restarts()).toEqual([
      'The server was stopped by SIGKILL. Restarting in 0.02 s.',
      'The server crashed with exit code 1. Restarting in 0.04 s.',
    ]);
    started.process.kill('SIGTERM');
    expect(await started.ended).toEqual({ code: 0, signal: null });
  });

  test('crashes after running for a long time is restarted after a short pause', async () => {
    const started = await keepRunning({}, { firstPauseMs: 20, steadyAfterMs: 0 });
    for (const times of [1, 2]) {
      await started.readyAt(times);
      process.kill(await started.server(), 'SIGKILL');
    }
    await started.readyAt(3);
    expect(started.restarts().map((line) => line.split(' ').slice(-2))).toEqual([
      ['0.02', 's.'],
      ['0.02', 's.'],
    ]);
  });

  test('does not find its database after a crash is restarted until it does', async () => {
    const started = await keepRunning();
    await started.readyAt();
    const server = await started.server();
    process.kill(server, 'SIGSTOP');
    const elsewhere = `${started.dataDir}-elsewhere`;
    atEnd(() => rmSync(elsewhere, { recursive: true, force: true }));
    renameSync(started.dataDir, elsewhere);
    mkdirSync(started.dataDir);
    writeFileSync(join(started.dataDir, 'volunteer-time.db'), 'not a database'.repeat(99));
    process.kill(server, 'SIGKILL');
    await expect.poll(started.said).toContain('The server could not start. Restarting in');
    rmSync(started.dataDir, { recursive: true });
    renameSync(elsewhere, started.dataDir);
    expect(await answers(await started.readyAt(2))).toBe(true);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ended by %s is not restarted', async (signal) => {
    const started = await keepRunning();
    await started.readyAt();
    process.kill(await started.server(), signal);
    expect(await started.ended).toEqual({ code: 0, signal: null });
    expect(started.restarts()).toEqual([]);
  });

  test('was never ready is not restarted', async () => {
    const started = await keepRunning({ PORT: 'abc' });
    expect(await started.ended).toEqual({ code: 78, signal: null });
    expect([started.said(), started.restarts()]).toEqual([expect.stringMatching(/^PORT: .+\n$/), []]);
  });

  test('finds its port in use after a crash is not restarted', async () => {
    const started = await keepRunning({ PORT: String(await freePort()) }, { firstPauseMs: 500 });
    const { port } = new URL(await started.readyAt());
    process.kill(await started.server(), 'SIGKILL');
    await waitUntilClosed(`http://127.0.0.1:${port}`);
    await listenAt(Number(port));
    expect(await started.ended).toEqual({ code: 78, signal: null });
    expect(started.said()).toMatch(/PORT: \d+ is in use by another program\n$/);
  });
});

test('a server whose update is rolled back stops with one log line, and is not restarted', async () => {
  const place = await emptyPlace();
  await oldDistrict(place);
  const before = await factsNow(place);
  const started = await keepRunning({
    ...LATER_VERSION,
    DATA_DIR: place.dataDir,
    LOG_LEVEL: 'silent',
    PHOTO_STORE_URL: 's3://key:secret@photos?endpoint=http://127.0.0.1:9&region=here',
  });
  expect(await started.ended).toEqual({ code: 78, signal: null });
  const [line = '', ...more] = started.said().trimEnd().split('\n');
  expect(line).toMatch(
    /^The update to \S+ failed: .+; the database was restored to its state before the update \(the failed one is /,
  );
  expect([more, started.restarts()]).toEqual([[], []]);
  expect(await factsNow(place)).toEqual(before);
});

describe('no process listens', () => {
  test('after the script that started the server was killed', async () => {
    const started = await keepRunning();
    const address = await started.readyAt();
    started.process.kill('SIGKILL');
    await waitUntilClosed(address);
  });

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'after npm alone gets %s, and npm waits for the server',
    async (signal) => {
      const started = await run('npm', ['start', '--loglevel=error']);
      await started.readyAt();
      const server = await started.server();
      started.process.kill(signal);
      expect(await started.ended).toEqual({ code: 0, signal: null });
      expect(() => process.kill(server, 0)).toThrow('ESRCH');
    },
  );

  test('after npm was killed; but a server started by hand outlives its shell', async () => {
    const byHand = await run('sh', ['-c', 'node scripts/run.mjs start & echo "started $!"; wait']);
    const handAddress = await byHand.readyAt();
    const byNpm = await run('npm', ['start', '--loglevel=error']);
    const npmAddress = await byNpm.readyAt();
    byHand.process.kill('SIGKILL');
    byNpm.process.kill('SIGKILL');
    await waitUntilClosed(npmAddress);
    expect(await answers(handAddress)).toBe(true);
    process.kill(Number(/started (\d+)/.exec(byHand.said())?.[1]), 'SIGTERM');
    await waitUntilClosed(handAddress);
  });
});

async function freePort(): Promise<number> {
  const server = await listenAt(0);
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function listenAt(port: number) {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  atEnd(() => server.close());
  return server;
}
