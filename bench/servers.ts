import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Client, client } from './load.ts';

/** The sources of this build. */
export const ROOT = join(import.meta.dirname, '..');
const OURS = 'src/app/server/main.ts';
const SCRIPTS = { ours: OURS, before: OURS, limit: 'bench/limit/server.ts' } as const;

export type Name = keyof typeof SCRIPTS | 'directus';

/** A server that is measured, as a process of its own on a free port of the loopback interface. */
export type Server = Readonly<{
  name: Name;
  pid: number;
  port: number;
  client: Client;
  stop: () => Promise<void>;
}>;

/** Where a server's data is. */
export type Place = Readonly<{ dataDir: string; databaseUrl: string | undefined }>;

/** Starts a server out of a folder of sources on its data, with `more` in its environment. */
export async function startServer(
  name: keyof typeof SCRIPTS,
  where: Place,
  sources: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Server> {
  mkdirSync(where.dataDir, { recursive: true });
  const { PATH = '', HOME = '' } = process.env;
  const child = startProcess(process.execPath, [join(sources, SCRIPTS[name])], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH,
      HOME,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: where.dataDir,
      TIME_ZONE: 'America/Chicago',
      LOG_LEVEL: 'error',
      ...(where.databaseUrl === undefined ? {} : { DATABASE_URL: where.databaseUrl }),
      ...more,
    },
  });
  return serverOf(name, child, await portOf(child));
}

/** Starts a process that ends with this one at the latest. */
export function startProcess(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, options);
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}

/** A process that listens on a port, as a server that is measured. */
export function serverOf(name: Name, child: ChildProcess, port: number): Server {
  const load = client(port);
  return {
    name,
    pid: child.pid ?? 0,
    port,
    client: load,
    stop: async () => {
      load.close();
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let said = '';
    const hear = (text: string) => {
      said += text;
      const [, port] = /ready at http:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
      if (port !== undefined) resolve(Number(port));
    };
    child.stdout?.setEncoding('utf8').on('data', hear);
    child.stderr?.setEncoding('utf8').on('data', hear);
    child.once('exit', () => reject(new Error(`a server did not start:\n${said}`)));
  });
}
