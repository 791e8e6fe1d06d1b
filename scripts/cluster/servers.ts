import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePorts, type Machine, type Program, ROOT, until } from './machine.ts';

const NAMES = ['first', 'second'] as const;
type ServerName = (typeof NAMES)[number];

/** Who administers the district of the cluster. */
export const ADMINISTRATOR = { email: 'ada@maplegrove.example', password: 'maple-lantern-42' } as const;

/** The servers of the product; `main` of another version's sources starts that version. */
export type Servers = Readonly<{
  places: readonly Readonly<{ name: ServerName; port: number }>[];
  start: (name: ServerName, version?: { root: string }) => Promise<void>;
  kill: (name: ServerName) => Promise<void>;
  stop: (name: ServerName) => Promise<void>;
}>;

/** Names and ports of two servers with the same settings; nothing is started yet. */
export async function openServers(machine: Machine, settings: Record<string, string>): Promise<Servers> {
  const ports = await freePorts(NAMES);
  const shared = {
    SECRET_KEY: randomBytes(32).toString('base64url'),
    TRUSTED_PROXIES: '127.0.0.1',
    TIME_ZONE: 'America/Chicago',
    ADMIN_EMAIL: ADMINISTRATOR.email,
    ADMIN_PASSWORD: ADMINISTRATOR.password,
    UPDATE_BACKUP: 'off',
    NODE_COMPILE_CACHE: join(ROOT, '.cache/compiled'),
    ...settings,
  };
  const running = new Map<ServerName, Program>();
  const take = (name: ServerName) => {
    const program = running.get(name);
    running.delete(name);
    return program;
  };
  return {
    places: NAMES.map((name) => ({ name, port: ports[name] })),
    start: async (name, { root } = { root: ROOT }) => {
      const dataDir = machine.folderOf(`data-${name}`);
      const program = machine.start(
        `server-${name}`,
        [process.execPath, join(root, 'src/app/server/main.ts')],
        { cwd: dataDir, env: { ...shared, DATA_DIR: dataDir, PORT: String(ports[name]) } },
      );
      running.set(name, program);
      await until(
        `the ${name} server is ready`,
        async () => (await fetch(`http://127.0.0.1:${ports[name]}/readyz`)).ok,
        { needs: [program] },
      );
    },
    kill: async (name) => take(name)?.kill(),
    stop: async (name) => take(name)?.stop(),
  };
}
