import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { withErrorListener } from './error-listener.ts';

/**
 * The environment of a process that the server starts for itself. The settings hold secrets, so it gets none of them:
 * only the folder of compiled modules, which shortens its start.
 */
export function childEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir();
  // Node keeps a folder for each of its versions in the one it was given.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/** How the processes of a pool are started, and how long one stays that has nothing to do. */
type PoolOptions = Pick<ForkOptions, 'execArgv' | 'serialization'> &
  Readonly<{
    args?: readonly string[];
    niceness: number;
    idleMs: number;
    /** The last one stays, so that the next piece of work waits for no start. */
    keepsOne?: boolean;
  }>;

/** Processes for work that would hold up requests: forked as work comes, ended when none came for a while. */
export class ProcessPool {
  readonly #script: URL;
  readonly #options: PoolOptions;
  readonly #alive = new Set<ChildProcess>();
  readonly #idle = new Map<ChildProcess, Readonly<{ kind: string; timer: NodeJS.Timeout }>>();
  #isClosed = false;

  constructor(script: URL, options: PoolOptions) {
    this.#script = script;
    this.#options = options;
  }

  /**
   * One that has nothing to do and did this kind of work before, or a new one, which may end at once. Whoever takes it gives
   * it back or ends it.
   */
  take(kind = ''): ChildProcess {
    const [child] = [...this.#idle].find(([, idle]) => idle.kind === kind) ?? [this.#start()];
    clearTimeout(this.#idle.get(child)?.timer);
    this.#idle.delete(child);
    return child;
  }

  /** Keeps one for the next piece of work, unless it has ended. */
  giveBack(child: ChildProcess, kind = ''): void {
    if (this.#isClosed || !child.connected) {
      child.kill('SIGKILL');
      return;
    }
    const timer = setTimeout(() => this.#retire(child), this.#options.idleMs).unref();
    this.#idle.set(child, { kind, timer });
  }

  /** Ends all; resolves when they have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(
      [...this.#alive].map((child) => {
        const ended = new Promise((resolve) => child.once('close', resolve));
        // Nothing else keeps this process running until then, which has the database to close.
        child.ref();
        child.kill('SIGKILL');
        return ended;
      }),
    );
  }

  #start(): ChildProcess {
    const { args = [], niceness, execArgv = [], serialization = 'json' } = this.#options;
    // No settings, which hold secrets, and none of this process's flags.
    const options = { env: childEnvironment(), execArgv, serialization, stdio: 'ignore' } as const;
    const child = withErrorListener(fork(this.#script, args, options));
    this.#alive.add(child);
    child.once('exit', () => this.#forget(child)).once('error', () => this.#forget(child));
    child.unref();
    child.channel?.unref();
    try {
      // Requests come first.
      if (child.pid !== undefined) setPriority(child.pid, niceness);
    } catch {
      // It ended at once, and its first caller gets the error.
    }
    return child;
  }

  // Its end is known a moment later; nothing may be given to it in between.
  #retire(child: ChildProcess): void {
    if (this.#options.keepsOne === true && this.#alive.size === 1) return;
    this.#forget(child);
    child.kill('SIGKILL');
  }

  #forget(child: ChildProcess): void {
    this.#alive.delete(child);
    clearTimeout(this.#idle.get(child)?.timer);
    this.#idle.delete(child);
  }
}
