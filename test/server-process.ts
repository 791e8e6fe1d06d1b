import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { atEnd, type Reply } from './harness.ts';

const ROOT = join(import.meta.dirname, '..');
const MAIN = join(ROOT, 'src/app/server/main.ts');
const LOOPBACK_ONLY = join(ROOT, 'test/loopback-only.ts');
/** The cache of compiled modules, because a stress test starts the server a thousand times. */
export const COMPILED = join(ROOT, '.cache/compiled');

/** The data folder and database of a server, as `emptyPlace` returns them. */
export type Place = Readonly<{ dataDir: string; databaseUrl: string | undefined }>;

/** The exit code or signal of a process. */
export type Ending = Readonly<{ code: number | null; signal: NodeJS.Signals | null }>;

type ChildCall = { token?: string | undefined; body?: unknown; headers?: Record<string, string> };

/** The server in its own process. */
export type Child = Readonly<{
  /** 'http://127.0.0.1:40123' */
  origin: string;
  stdout: () => string;
  stderr: () => string;
  /** Sends a request over HTTP, such as `call('GET /api/profile', { token })`. */
  call: (methodAndPath: string, options?: ChildCall) => Promise<Reply>;
  /** Sends a signal and waits until the process has ended. */
  end: (signal: NodeJS.Signals) => Promise<Ending>;
  ended: Promise<Ending>;
  isOver: () => boolean;
  pid: number;
}>;

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/**
 * Starts the server on a free port of the loopback interface and waits until it is ready. `main` is another program to run,
 * with its arguments.
 */
export async function startChild(
  place: Place,
  settings: Record<string, string> = {},
  main: string | readonly string[] = MAIN,
): Promise<Child> {
  const started = launch(place, { PORT: '0', ...settings }, main);
  const origin = await readyAt(started);
  return { ...started, origin, call: caller(origin) };
}

/** Runs the server until it ends, for starts that fail. Stops a server that becomes ready. */
export async function runChild(place: Place, settings: Record<string, string>) {
  const started = launch(place, { PORT: '0', ...settings });
  const ready = readyAt(started).then(
    () => started.end('SIGTERM'),
    () => started.ended,
  );
  const ending = await Promise.race([started.ended, ready]);
  return { ...ending, stdout: started.stdout(), stderr: started.stderr() };
}

/** Starts the server without waiting, for tests that end it during its start. */
export function launch(
  place: Place,
  settings: Record<string, string>,
  main: string | readonly string[] = MAIN,
) {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['--import', LOOPBACK_ONLY, ...[main].flat()], {
    cwd: place.dataDir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH,
      HOME,
      NODE_COMPILE_CACHE: COMPILED,
      DATA_DIR: place.dataDir,
      ...(place.databaseUrl === undefined ? {} : { DATABASE_URL: place.databaseUrl }),
      TIME_ZONE: 'America/Chicago',
      ...settings,
    },
  });
  running.add(child);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const ended = new Promise<Ending>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal });
    });
  });
  atEnd(() => {
    child.kill('SIGKILL');
    return ended;
  });
  return {
    stdout,
    stderr,
    ended,
    pid: child.pid ?? 0,
    isOver: () => child.exitCode !== null || child.signalCode !== null || child.killed,
    end: (signal: NodeJS.Signals) => {
      child.kill(signal);
      return ended;
    },
  };
}

// Waits for the log line with the address, then for the database.
async function readyAt(started: ReturnType<typeof launch>): Promise<string> {
  for (;;) {
    const [, origin] = / is ready at (http:\S+)\n/.exec(started.stdout()) ?? [];
    if (origin !== undefined && (await fetch(`${origin}/readyz`)).status === 200) return origin;
    if (started.isOver())
      throw new Error(`The server did not start:\n${started.stdout()}${started.stderr()}`);
    await new Promise((resume) => setTimeout(resume, 5));
  }
}

function collect(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => {
    text += more;
  });
  return () => text;
}

function caller(origin: string): Child['call'] {
  return async (methodAndPath, { token, body, headers = {} } = {}) => {
    const [method = 'GET', path = '/'] = methodAndPath.split(' ');
    const reply = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await reply.text();
    return {
      status: reply.status,
      body: text.startsWith('{') ? JSON.parse(text) : undefined,
      headers: Object.fromEntries(reply.headers),
      text,
    };
  };
}
