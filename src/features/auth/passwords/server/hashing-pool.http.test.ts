import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { atEnd } from '#test/harness.ts';
import { baseFolder } from '#test/temp-folders.ts';
import { createHashingPool } from './hashing-pool.ts';

const folder = mkdtempSync(join(baseFolder(), 'hashing-'));
atEnd(() => rmSync(folder, { recursive: true }));
const LIMITS = { atOnce: 2, waiting: 300, waitMs: 30_000, idleMs: 60_000 };
const TASK = { password: 'book fair 2026' };

/** A thread that does something odd with its first task, and answers the second one. */
function spoilt(name: string, how: string): URL {
  const [path, once] = [join(folder, `${name}.mjs`), join(folder, `${name}.once`)];
  writeFileSync(
    path,
    `import { existsSync, writeFileSync } from 'node:fs';
     import { parentPort } from 'node:worker_threads';
     const isFirst = !existsSync(${JSON.stringify(once)});
     writeFileSync(${JSON.stringify(once)}, '');
     ${how}
     parentPort.on('message', () => parentPort.postMessage({ hash: 'of the second' }));`,
  );
  return pathToFileURL(path);
}

function niceOfThreads(): number[] {
  return readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
    // After the name, which may contain spaces: the 17th field is the niceness (proc_pid_stat).
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}

test('a password matches its own hash and no other, in threads that everything else goes before', async () => {
  const { ask } = createHashingPool();
  const before = niceOfThreads().filter((nice) => nice >= 10).length;
  const made = await Promise.all([ask(TASK, 'a'), ask(TASK, 'b'), ask(TASK, 'c')]);
  const [stored = ''] = made.map((answer) => ('hash' in answer ? answer.hash : ''));
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await ask({ ...TASK, stored }, 'a')).toEqual({ matches: true });
  expect(await ask({ password: 'book fair 2025', stored }, 'a')).toEqual({ matches: false });
  expect(await ask({ ...TASK, stored: 'no hash' }, 'a')).toMatchObject({ fault: expect.any(String) });
  expect(niceOfThreads().filter((nice) => nice >= 10).length - before).toBe(2);
});

test.each([
  ['is dead at birth', `if (isFirst) process.exit(1);`],
  ['fails at birth', `if (isFirst) throw new Error('spoilt');`],
  ['ends amid a hash', `if (isFirst) parentPort.once('message', () => process.exit(1));`],
])('when a thread %s, another one hashes the password', async (name, how) => {
  const { ask } = createHashingPool(LIMITS, spoilt(name, how));
  expect(await ask(TASK, 'a')).toEqual({ hash: 'of the second' });
});

test('when no thread can be started, a sign-in is told to come back, and the next one too', async () => {
  const { ask } = createHashingPool(LIMITS, new URL('file:///nowhere/hashing-thread.ts'));
  const busy = { kind: 'busy', details: { retryAfterSeconds: 3 } };
  for (let times = 0; times < 3; times += 1) await expect(ask(TASK, 'a')).rejects.toMatchObject(busy);
});

test('a program that hashes one password waits for it, and ends by itself', () => {
  const script = `import { createHashingPool } from ${JSON.stringify(new URL('./hashing-pool.ts', import.meta.url).href)};
    console.log(Object.keys(await createHashingPool().ask(${JSON.stringify(TASK)}, '')));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(said).toContain('hash');
});
