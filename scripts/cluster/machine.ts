import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The folder of the sources. Not from `scripts/process.mjs`, which ends a process at the first signal. */
export const ROOT = join(import.meta.dirname, '../..');

const END_WAIT_MS = 20_000;
const LOG_SHOWN = 3_000;

/** A program that runs. `kill` ends it at once, as a machine that loses its power; `stop` lets it end in order. */
export type Program = Readonly<{
  name: string;
  pid: number;
  log: () => string;
  isOver: () => boolean;
  ended: Promise<void>;
  kill: () => Promise<void>;
  stop: () => Promise<void>;
}>;

/** Where the programs of one cluster live, until `end`. */
export type Machine = Readonly<{
  folder: string;
  /** Makes a folder below `folder`; with `forDatabase`, for the account that PostgreSQL runs as. */
  folderOf: (name: string, options?: { forDatabase?: boolean }) => string;
  start: (name: string, command: readonly string[], options?: StartOptions) => Program;
  /** Runs once all programs are ended. */
  afterwards: (work: () => void) => void;
  end: () => Promise<void>;
}>;

type StartOptions = Readonly<{
  env?: Record<string, string>;
  cwd?: string;
  forDatabase?: boolean;
  /** Give the program an input, which stays open while it runs. */
  hasInput?: boolean;
}>;

/** A new folder, and the programs that are started in it; `end` ends them, the last one first, and removes the folder. */
export function openMachine(): Machine {
  const folder = mkdtempSync(join(tmpdir(), 'vtt-cluster-'));
  // PostgreSQL's account must get to its folder below.
  chmodSync(folder, 0o711);
  const running: Program[] = [];
  const last: (() => void)[] = [];
  let isOver = false;
  const account = databaseAccount();
  return {
    folder,
    folderOf: (name, { forDatabase = false } = {}) => {
      if (isOver) throw new Error('the cluster has been ended');
      const path = join(folder, name);
      mkdirSync(path, { recursive: true, mode: 0o700 });
      if (forDatabase && account !== undefined) chownSync(path, account.uid, account.gid);
      return path;
    },
    start: (name, command, options = {}) => {
      if (isOver) throw new Error('the cluster has been ended');
      const program = startProgram(folder, { name, command, account }, options);
      running.push(program);
      return program;
    },
    afterwards: (work) => last.push(work),
    end: async () => {
      isOver = true;
      for (const program of running.toReversed()) await program.stop();
      for (const work of last) work();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    },
  };
}

// PostgreSQL refuses to run as root: then it gets the account that its package made.
function databaseAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

type Wanted = Readonly<{
  name: string;
  command: readonly string[];
  account: ReturnType<typeof databaseAccount>;
}>;

function startProgram(folder: string, { name, command, account }: Wanted, given: StartOptions): Program {
  const logFile = join(folder, `${name}.log`);
  const output = openSync(logFile, 'a');
  // The kernel tells it to end when this process dies without having told it.
  const rights =
    given.forDatabase === true && account !== undefined
      ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
      : [];
  const args = [...rights, '--pdeathsig', 'TERM', '--', ...command];
  const options: SpawnOptions = {
    cwd: given.cwd ?? folder,
    // Ctrl-C in a terminal reaches this process alone, which ends the others in order.
    detached: true,
    stdio: [given.hasInput === true ? 'pipe' : 'ignore', output, output],
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin`, LANG: 'C.UTF-8', ...given.env },
  };
  const child = spawn('setpriv', args, options);
  closeSync(output);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const pid = child.pid ?? 0;
  const isOver = () => pid === 0 || child.exitCode !== null || child.signalCode !== null;
  const signal = async (with_: NodeJS.Signals) => {
    if (!isOver()) child.kill(with_);
    await ended;
  };
  return {
    name,
    pid,
    log: () => readFileSync(logFile, 'utf8').slice(-LOG_SHOWN),
    isOver,
    ended,
    kill: () => signal('SIGKILL'),
    stop: async () => {
      const late = setTimeout(() => child.kill('SIGKILL'), END_WAIT_MS);
      child.stdin?.end();
      await signal('SIGTERM');
      clearTimeout(late);
    },
  };
}

/** So many free ports of the loopback interface. */
export async function freePorts<const Names extends readonly string[]>(
  names: Names,
): Promise<Record<Names[number], number>> {
  const servers = names.map(() => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return Object.fromEntries(names.map((name, at) => [name, ports[at]])) as Record<Names[number], number>;
}

/** Asks again and again until it is so. Throws when it takes longer than `seconds`, or when a program that is needed ended. */
export async function until(
  what: string,
  isSo: () => Promise<boolean>,
  { seconds = 60, needs = [] }: { seconds?: number; needs?: readonly Program[] } = {},
): Promise<void> {
  const last = performance.now() + seconds * 1_000;
  while (!(await isSo().catch(() => false))) {
    const gone = needs.find((program) => program.isOver());
    if (gone !== undefined) throw new Error(`${gone.name} ended before ${what}:\n${gone.log()}`);
    if (performance.now() > last) {
      throw new Error(
        [`${what}: not within ${seconds} s`, ...needs.map((one) => `${one.name}:\n${one.log()}`)].join('\n'),
      );
    }
    await pause(100);
  }
}

/** Ends a process that another program started, by its id, and whatever it started. */
export function killTree(pid: number): void {
  if (pid <= 1) return;
  for (const child of childrenOf(pid)) killTree(child);
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Over already.
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
