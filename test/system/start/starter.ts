import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { atEnd, emptyPlace } from '#test/harness.ts';

const ROOT = join(import.meta.dirname, '../../..');
const LOOPBACK_ONLY = join(ROOT, 'test/loopback-only.ts');
const CRASH_ON_SIGNAL = join(ROOT, 'test/system/start/crash-on-signal.ts');

/** A command that starts the product in its own data folder, and its output. */
export type Started = Readonly<{
  process: ChildProcess;
  dataDir: string;
  /** Waits until a server says its address, for the n-th time, and returns it. */
  readyAt: (times?: number) => Promise<string>;
  /** The lines in which the starter says that it restarts the server. */
  restarts: () => string[];
  /** The process of the running server. */
  server: () => Promise<number>;
  said: () => string;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}>;

/** Starts the product by `scripts/keep-running.mjs` with short pauses, without installing or building. */
export function keepRunning(
  settings: Record<string, string> = {},
  pauses: { firstPauseMs: number; steadyAfterMs?: number } = { firstPauseMs: 20 },
) {
  const script = `
    import { keepRunning } from './scripts/keep-running.mjs';
    process.exitCode = await keepRunning(process.execPath, ['src/app/server/main.ts'], ${JSON.stringify(pauses)});`;
  return run(process.execPath, ['--input-type=module', '-e', script], settings);
}

/** Runs a shell command in the project's folder, with the tests' Node as its `node`. */
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
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  atEnd(async () => {
    if (child.pid !== undefined && child.exitCode === null) {
      for (const pid of descendants(child.pid)) endNow(pid);
      child.kill('SIGKILL');
    }
    await ended;
  });
  const readyAt = async (times = 1) => {
    for (;;) {
      const address = [...said.matchAll(/ is ready at (http:\S+)\n/g)].at(times - 1)?.[1];
      if (address !== undefined) return address;
      if (child.exitCode !== null) throw new Error(`It ended before it was ready:\n${said}`);
      await moment();
    }
  };
  return {
    process: child,
    dataDir,
    readyAt,
    restarts: () => said.split('\n').filter((line) => line.includes(' started again ')),
    server: async () => {
      for (;;) {
        const pid = descendants(child.pid ?? 0).find((one) =>
          commandOf(one).includes('src/app/server/main.ts'),
        );
        if (pid !== undefined) return pid;
        await moment();
      }
    },
    said: () => said,
    ended,
  };
}

/** Waits until nothing listens at an address any more. */
export async function goneFrom(address: string): Promise<void> {
  while (await answers(address)) await moment();
}

/** Whether a server answers at an address. */
export async function answers(address: string): Promise<boolean> {
  return fetch(`${address}/healthz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** The processes that a process started, and those that they started. */
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

function endNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function moment(): Promise<void> {
  return new Promise((resume) => setTimeout(resume, 10));
}
