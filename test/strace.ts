import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from './harness.ts';

/** A system call; `began` and `ended` are positions in the order of all calls' starts and ends. */
export type SystemCall = Readonly<{ name: string; text: string; began: number; ended: number }>;

/** Injects an error into a thread's `at`-th system call of a name, or kills the process before it. */
export type Fault = Readonly<{
  thread: number;
  name: string;
  at: number;
  how: 'EIO' | 'ENOSPC' | 'kill';
}>;

/** Traces all threads of a process. `stop` returns the calls in the order in which they began. */
export async function watchCalls(pid: number, calls: readonly string[]) {
  const tracer = await attach(['-f', '-p', String(pid), '-y', '-s', '200', '-e', `trace=${calls.join(',')}`]);
  return { stop: async (): Promise<SystemCall[]> => parseCalls(await tracer.stop()) };
}

/** Injects faults into a process. `stop` returns for each fault whether it happened. */
export async function injectFaults(faults: readonly Fault[]) {
  const tracers: Awaited<ReturnType<typeof attach>>[] = [];
  for (const { thread, name, at, how } of faults) {
    const what = how === 'kill' ? 'signal=KILL' : `error=${how}`;
    const fault = ['-e', `trace=${name}`, '-e', `inject=${name}:${what}:when=${at}`];
    tracers.push(await attach(['-p', String(thread), ...fault]));
  }
  return {
    stop: async (): Promise<boolean[]> => {
      const logs = await Promise.all(tracers.map((tracer) => tracer.stop()));
      return logs.map((log) => log.includes('(INJECTED)') || log.includes('killed by SIGKILL'));
    },
  };
}

/** The id of the file system thread of a process started with `UV_THREADPOOL_SIZE=1`. */
export function fileThread(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const found = threads.filter((id) =>
    readFileSync(`/proc/${pid}/task/${id}/comm`, 'utf8').startsWith('libuv-worker'),
  );
  if (found.length !== 1) throw new Error(`${found.length} threads work on files`);
  return Number(found[0]);
}

async function attach(args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'strace-'));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const log = join(folder, 'log');
  const tracer = spawn('strace', ['-o', log, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => tracer.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let output = '';
    tracer.stderr.setEncoding('utf8').on('data', (more: string) => {
      output += more;
      if (/ attached/.test(output)) resolve();
    });
    tracer.once('error', reject);
    tracer.once('close', () => reject(new Error(`strace cannot watch a process here: ${output}`)));
  });
  return {
    stop: async () => {
      tracer.kill('SIGINT');
      await ended;
      return readFileSync(log, 'utf8');
    },
  };
}

// Parses lines such as '12 fsync(5</a/b>) = 0'. A call interrupted by another thread is split into '<unfinished ...>' and
// '12 <... fsync resumed>) = 0'.
function parseCalls(log: string): SystemCall[] {
  const calls: { name: string; text: string; began: number; ended: number }[] = [];
  const open = new Map<string, (typeof calls)[number]>();
  for (const [at, line] of log.split('\n').entries()) {
    const [, thread = '', resumed, name = '', text = ''] =
      /^(\d+) +(?:<\.\.\. (\w+) resumed>|(\w+)\()(.*)$/.exec(line) ?? [];
    if (thread === '') continue;
    if (resumed !== undefined) {
      const call = open.get(thread);
      if (call !== undefined) Object.assign(call, { ended: at, text: call.text + text });
      continue;
    }
    const call = { name, text, began: at, ended: at };
    calls.push(call);
    open.set(thread, call);
  }
  return calls;
}
