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

/** The folder of the sources. Not from `scripts/process.mjs`, which ends a process at the first signal. */
export const ROOT = join(import.meta.dirname, '../..');

const END_WAIT_MS = 20_000;
const LOG_SHOWN = 3_000;

/** A program that runs. `kill` ends it at once, as a machine that loses its power; `stop` lets it end in order. */
export type Program = Readonly<{
  name: string;
  log: () => string;
  isOver: () => boolean;
  kill: () => Promise<void>;
  stop: () => Promise<void>;
}>;

type StartOptions = Readonly<{ env?: Record<string, string>; isDatabase?: boolean }>;

/** Where the programs of one cluster live, until `end`. */
export type Machine = ReturnType<typeof openMachine>;

// Long because it holds everything that can be done on the machine.
/** A new folder, and the programs that are started in it; `end` ends them, the last one first, and removes the folder. */
export function openMachine() {
  const folder = mkdtempSync(join(tmpdir(), 'vtt-cluster-'));
  // PostgreSQL's account must get to its folder below.
  chmodSync(folder, 0o711);
  const running: Program[] = [];
  const last: (() => void)[] = [];
  let isOver = false;
  // PostgreSQL refuses to run as root: then it gets the account that its package made.
  const idOf = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  const account = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : undefined;
  return {
    folder,
    /** Makes a folder below `folder`; with `isDatabase`, for the account that PostgreSQL runs as. */
    folderOf: (name: string, { isDatabase = false } = {}): string => {
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
      if (isOver) throw new Error('the cluster has been ended');
      const rights =
        isDatabase && account !== undefined
          ? [`--reuid=${account.uid}`, `--regid=${account.gid}`, '--clear-groups']
          : [];
      const program = startProgram(folder, name, [...rights, '--pdeathsig', 'TERM', '--', ...command], env);
      running.push(program);
      return program;
    },
    /** Runs once all programs are ended. */
    afterwards: (work: () => void) => last.push(work),
    end: async () => {
      isOver = true;
      for (const program of running.toReversed()) await program.stop();
      for (const work of last) work();
      rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 });
    },
  };
}

// The kernel tells a program to end when this process dies without having told it.
function startProgram(folder: string, name: string, args: string[], env = {}): Program {
  const logFile = join(folder, `${name}.log`);
  const output = openSync(logFile, 'a');
  const child = spawn('setpriv', args, {
    cwd: folder,
    // Ctrl-C in a terminal reaches this process alone, which ends the others in order.
    detached: true,
    // The object store ends when its input does.
    stdio: ['pipe', output, output],
    env: { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin`, LANG: 'C.UTF-8', ...env },
  });
  closeSync(output);
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const isOver = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
  const signal = (with_: NodeJS.Signals): Promise<void> => {
    if (!isOver()) child.kill(with_);
    return ended;
  };
  return {
    name,
    log: () => readFileSync(logFile, 'utf8').slice(-LOG_SHOWN),
    isOver,
    kill: () => signal('SIGKILL'),
    stop: async () => {
      const late = setTimeout(() => child.kill('SIGKILL'), END_WAIT_MS);
      child.stdin?.end();
      await signal('SIGTERM');
      clearTimeout(late);
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
      const logs = needs.map((one) => `${one.name}:\n${one.log()}`);
      throw new Error([`${what}: not within ${seconds} s`, ...logs].join('\n'));
    }
    await pause(100);
  }
}

/** Ends a process that another program started, by its id, and whatever it started. */
export function killTree(pid: number): void {
  if (!(pid > 1)) return;
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
    for (const child of children.split(' ').filter(Boolean)) killTree(Number(child));
    process.kill(pid, 'SIGKILL');
  } catch {
    // Over already.
  }
}
