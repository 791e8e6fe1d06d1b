import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestProject } from 'vitest/node';
import { findPostgres } from '../scripts/programs.mjs';
import { baseFolder } from './folders.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

/**
 * Watches over one server: creates it in a new folder, prints its address, and removes both when its input closes.
 * The input is a pipe that closes with the process that asked, so a killed test run leaves neither a server nor a
 * folder. A folder remains only when this shell itself was killed; the next run removes it, and its server ends with
 * it.
 */
const KEEPER = `
bin=$1; base=$2; fsync=$3
for old in "$base"/vtt-postgres-*-*; do
  keeper=\${old#"$base"/vtt-postgres-}; keeper=\${keeper%-*}
  [ -d "$old" ] && ! kill -0 "$keeper" 2>/dev/null && rm -rf "$old" 2>/dev/null
done
dir=$(mktemp -d "$base/vtt-postgres-$$-XXXXXX") || exit 1
options="-c listen_addresses='' -c unix_socket_directories='$dir' -c max_connections=300 -c fsync=$fsync -c synchronous_commit=on"
if "$bin/initdb" -D "$dir/data" -U postgres --locale=C.UTF-8 -E UTF8 --auth=trust >"$dir/log" 2>&1 &&
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

/** A real PostgreSQL on a socket in a temporary folder, for as long as this process lives or until `stop`. */
export async function startPostgres({
  fsync = 'on',
}: {
  fsync?: 'on' | 'off';
} = {}): Promise<{ url: string; stop: () => Promise<void> }> {
  const bin = findPostgres();
  if (!bin) throw new Error('PostgreSQL is not installed. On Debian: apt-get install postgresql');
  const keeper = startKeeper(bin, fsync);
  const folder = await folderOf(keeper);
  return {
    url: `postgres://postgres@/postgres?host=${encodeURIComponent(folder)}`,
    stop: async () => {
      const gone = once(keeper, 'exit');
      keeper.stdin?.end();
      await gone;
    },
  };
}

let stop: () => Promise<void> = async () => {};

/** Vitest calls this once before the tests of the project `postgres`. */
export async function setup(project: TestProject): Promise<void> {
  const server = await startPostgres();
  stop = server.stop;
  project.provide('postgresUrl', server.url);
}

/** Vitest calls this once after them, failed or not. */
export async function teardown(): Promise<void> {
  await stop();
}

function startKeeper(bin: string, fsync: 'on' | 'off'): ChildProcess {
  const command = ['sh', '-c', KEEPER, 'sh', bin, baseFolder(), fsync];
  // PostgreSQL refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const [program, ...args] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
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
