import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { atEnd, emptyPlace } from '#test/harness.ts';

const ROOT = join(import.meta.dirname, '../../..');
const LOOPBACK_ONLY = join(ROOT, 'test/loopback-only.ts');
const CRASH_ON_SIGNAL = join(ROOT, 'test/system/start/crash-on-signal.ts');

/** A running command that starts the product, with its data folder and output. */
export type Started = Readonly<{
  process: ChildProcess;
  dataDir: string;
  /** Waits until a server has logged its address for the n-th time, and returns it. */
  readyAt: (times?: number) => Promise<string>;
  /** The log lines about restarts. */
  restarts: () => string[];
  /** The process id of the running server. */
  server: () => Promise<number>;
  said: () => string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}>;

/** Starts the product with `scripts/keep-running.mjs` and short pauses, without installing or building. */
export function keepRunning(
  settings: Record<string, string> = {},
  pauses: { firstPauseMs: number; steadyAfterMs?: number } = { firstPauseMs: 20 },
) {
  const script = `
    import { keepRunning } from './scripts/keep-running.mjs';
    process.exitCode = await keepRunning(process.execPath, ['src/app/server/main.ts'], ${JSON.stringify(pauses)});`;
  return run(process.execPath, ['--input-type=module', '-e', script], settings);
}

/** Runs a command in the project's folder, with the tests' Node as `node`. */
export async function run(
  command: string,
  args: readonly string[],
  settings: Record<string, string> = {},
): Promise<Started> {
  const { dataDir } = await emptyPlace();
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: `${dirname(process.execPath)}:${PATH}`,
      HOME,
      NODE_COMPILE_CACHE: join(ROOT, '.cache/compiled'),
      NODE_OPTIONS: `--import ${LOOPBACK_ONLY} --import ${CRASH_ON_SIGNAL}`,
      DATA_DIR: dataDir,
      PORT: '0',
      TIME_ZONE: 'America/Chicago',
      ...settings,
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  atEnd(async () => {
    if (child.pid !== undefined && child.exitCode === null) {
      for (const pid of descendants(child.pid)) kill(pid);
      child.kill('SIGKILL');
    }
    await ended;
  });
  const readyAt = async (times = 1) => {
    for (;;) {
      const address = [...output.matchAll(/ is ready at (http:\S+)\n/g)].at(times - 1)?.[1];
      if (address !== undefined) return address;
      if (child.exitCode !== null) throw new Error(`It ended before it was ready:\n${output}`);
      await moment();
    }
  };
  return {
    process: child,
    dataDir,
    readyAt,
    restarts: () => output.split('\n').filter((line) => line.includes('. Restarting in ')),
    server: async () => {
      for (;;) {
        const pid = descendants(child.pid ?? 0).find((one) =>
          commandOf(one).includes('src/app/server/main.ts'),
        );
        if (pid !== undefined) return pid;
        await moment();
      }
    },
    said: () => output,
    ended,
  };
}

/** Waits until nothing listens at an address. */
export async function waitUntilClosed(address: string): Promise<void> {
  while (await answers(address)) await moment();
}

/** Whether a server answers at an address. */
export async function answers(address: string): Promise<boolean> {
  return fetch(`${address}/healthz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** The ids of all descendants of a process. */
export function descendants(pid: number): number[] {
  const children = readOr('', `/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return children.flatMap((child) => [child, ...descendants(child)]);
}

function commandOf(pid: number): string {
  return readOr('', `/proc/${pid}/cmdline`).split('\0').join(' ');
}

function readOr(otherwise: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return otherwise;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

function moment(): Promise<void> {
  return new Promise((resume) => setTimeout(resume, 10));
}
