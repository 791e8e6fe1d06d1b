import { execFileSync, spawn } from 'node:child_process';
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

/** The folder of the sources. Not from `scripts/process.mjs`, because that module ends its process at the first signal. */
export const ROOT = join(import.meta.dirname, '../..');

const STOP_TIMEOUT_MS = 20_000;
const LOG_SHOWN = 3_000;

/** A running program. `kill` ends it like a power failure; `stop` lets it shut down. */
export type Program = Readonly<{
  name: string;
  log: () => string;
  isOver: () => boolean;
  kill: () => Promise<void>;
  stop: () => Promise<void>;
}>;

type StartOptions = Readonly<{ env?: Record<string, string>; isDatabase?: boolean }>;

/** A folder and the programs started in it. */
export type Machine = ReturnType<typeof openMachine>;

/** Opens a new folder to start programs in. `end` stops them, the last one first, and removes the folder. */
export function openMachine() {
  const folder = mkdtempSync(join(tmpdir(), 'vtt-cluster-'));
  // PostgreSQL's account needs access to its folder below.
  chmodSync(folder, 0o711);
  const running: Program[] = [];
  const cleanups: (() => void)[] = [];
  let isOver = false;
  // PostgreSQL refuses to run as root, so root runs it as the account that its package made.
  const idOf = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  const account = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  return {
    folder,
    /** Makes a folder below `folder`. With `isDatabase` it belongs to the account that PostgreSQL runs as. */
    makeFolder: (name: string, { isDatabase = false } = {}): string => {
      const path = join(folder, name);
      mkdirSync(path, { recursive: true, mode: 0o700 });
      if (isDatabase && account !== undefined) chownSync(path, account.uid, account.gid);
      return path;
    },
    start: (
      name: string,
      command: readonly string[],
      { env, isDatabase = false }: StartOptions = {},
    ): Program => {
      if (isOver) throw new Error('the cluster has been stopped');
      const ids = isDatabase && account;
      const rights = ids ? [`--reuid=${ids.uid}`, `--regid=${ids.gid}`, '--clear-groups'] : [];
      const program = startProgram(folder, name, [...rights, '--pdeathsig', 'TERM', '--', ...command], env);
      running.push(program);
      return program;
    },
    /** Adds work to do once all programs have stopped. */
    onEnd: (work: () => void) => cleanups.push(work),
    end: async () => {
      isOver = true;
      for (const program of running.toReversed()) await program.stop();
      for (const cleanup of cleanups) cleanup();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    },
  };
}

// Run by setpriv, so that the kernel ends the program when this process dies.
function startProgram(folder: string, name: string, args: string[], env = {}): Program {
  const logFile = join(folder, `${name}.log`);
  const output = openSync(logFile, 'a');
  const child = spawn('setpriv', args, {
    cwd: folder,
    // Ctrl-C in a terminal must reach only this process, which stops the others in order.
    detached: true,
    stdio: ['ignore', output, output],
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin`, LANG: 'C.UTF-8', ...env },
  });
  closeSync(output);
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const isOver = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const end = (signal: NodeJS.Signals): Promise<void> => {
    if (!isOver()) child.kill(signal);
    return exited;
  };
  return {
    name,
    log: () => readFileSync(logFile, 'utf8').slice(-LOG_SHOWN),
    isOver,
    kill: () => end('SIGKILL'),
    stop: async () => {
      const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await end('SIGTERM');
      clearTimeout(timeout);
    },
  };
}

/** Free ports of the loopback interface, one for each name. */
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

/** Waits until `isTrue`. Throws after `seconds`, or if a required program has ended. */
export async function waitUntil(
  what: string,
  isTrue: () => Promise<boolean>,
  { seconds = 60, needs = [] }: { seconds?: number; needs?: readonly Program[] } = {},
): Promise<void> {
  const deadline = performance.now() + seconds * 1_000;
  while (!(await isTrue().catch(() => false))) {
    const ended = needs.find((program) => program.isOver());
    if (ended !== undefined) throw new Error(`${ended.name} ended before ${what}:\n${ended.log()}`);
    if (performance.now() > deadline) {
      const logs = needs.map((one) => `${one.name}:\n${one.log()}`);
      throw new Error([`${what}: not within ${seconds} s`, ...logs].join('\n'));
    }
    await pause(100);
  }
}

/** Kills a process by its id, and all its descendants. */
export function killTree(pid: number): void {
  if (!(pid > 1)) return;
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    for (const child of children.split(' ').filter(Boolean)) killTree(Number(child));
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
