import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { setPriority } from 'node:os';
import { dirname } from 'node:path';
import { withErrorListener } from './error-listener.ts';

/**
 * The environment for child processes. Settings hold secrets, so a child gets only the compile cache folder,
 * which shortens its start.
 */
export function childEnvironment(): Record<string, string> {
  const folder = getCompileCacheDir();
  // Node adds a subfolder per version to the folder that it was given.
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/** How processes are started, and after how long an idle one is ended. */
type PoolOptions = Pick<ForkOptions, 'execArgv' | 'serialization'> &
  Readonly<{
    args?: readonly string[];
    niceness: number;
    idleMs: number;
    /** Keeps the last process alive, so that the next job does not wait for a start. */
    keepsOne?: boolean;
  }>;

/** A pool of child processes for work that would block requests: forked on demand, ended when idle. */
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
   * Returns an idle process that last did this kind of work, or a new one, which may exit at any time. The
   * caller must return it with `giveBack` or kill it.
   */
  take(kind = ''): ChildProcess {
    const [child] = [...this.#idle].find(([, idle]) => idle.kind === kind) ?? [this.#start()];
    clearTimeout(this.#idle.get(child)?.timer);
    this.#idle.delete(child);
    return child;
  }

  /** Returns a process to the pool, unless it has ended. */
  giveBack(child: ChildProcess, kind = ''): void {
    if (this.#isClosed || !child.connected) {
      child.kill('SIGKILL');
      return;
    }
    const timer = setTimeout(() => this.#retire(child), this.#options.idleMs).unref();
    this.#idle.set(child, { kind, timer });
  }

  /** Kills all processes; resolves when they have exited. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(
      [...this.#alive].map((child) => {
        const ended = new Promise((resolve) => child.once('close', resolve));
        // Keeps this process, which still has to close the database, alive until then.
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
      // It exited immediately; its first caller gets the error.
    }
    return child;
  }

  // The exit event arrives later; remove it first, so that no job is given to it in between.
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
