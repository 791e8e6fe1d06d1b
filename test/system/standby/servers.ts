import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { findPostgres } from '../../../scripts/programs.mjs';
import { baseFolder } from '../../folders.ts';
import { atEnd } from '../../harness.ts';
import { startPostgres } from '../../postgres.ts';

// Does what it is told line by line, and ends with its input, as the keeper of `test/postgres.ts` does.
const KEEPER = `
bin=$1; base=$2; leader=$3
dir=$(mktemp -d "$base/vtt-standby-$$-XXXXXX") || exit 1
"$bin/pg_basebackup" -h "$leader" -U postgres -D "$dir/data" -R -X stream -c fast >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
begin() {
  "$bin/pg_ctl" -D "$dir/data" -l "$dir/log" -w -o "-c listen_addresses='' -c unix_socket_directories='$dir' -c max_connections=300" start >>"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
}
end() { "$bin/pg_ctl" -D "$dir/data" -m immediate -w stop >/dev/null 2>&1; }
begin
echo "$dir"
while read -r what; do
  case $what in
    stop) end ;;
    start) begin ;;
    promote) "$bin/pg_ctl" -D "$dir/data" -w promote >/dev/null 2>&1 ;;
  esac
  echo "$what"
done
end
rm -rf "$dir"
`;

/** A PostgreSQL and a standby that follows it. */
export type Pair = Readonly<{
  leader: string;
  standby: string;
  /** Has the standby wait with what it receives, or go on. */
  replay: (how: 'pause' | 'resume') => Promise<void>;
  tell: (what: 'stop' | 'start' | 'promote') => Promise<void>;
}>;

/** Starts both, with an empty database, until the end of the test file. Needs PostgreSQL alone. */
export async function startPair(): Promise<Pair> {
  const bin = findPostgres();
  if (bin === undefined)
    throw new Error('PostgreSQL is not installed. On Debian: apt-get install postgresql');
  const leader = await startPostgres();
  atEnd(leader.stop);
  const folder = new URL(leader.url.replace('postgres://postgres@/', 'http://here/')).searchParams.get(
    'host',
  );
  const command = ['sh', '-c', KEEPER, 'sh', bin, baseFolder(), folder ?? ''];
  const isRoot = process.getuid?.() === 0;
  const [program, ...args] = isRoot ? ['runuser', '-u', 'postgres', '--', ...command] : command;
  const keeper = spawn(program ?? 'sh', args, {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  atEnd(async () => {
    const gone = once(keeper, 'exit');
    keeper.stdin?.end();
    await gone;
  });
  const place = await lineOf(keeper);
  const standby = `postgres://postgres@/postgres?host=${encodeURIComponent(place)}`;
  return {
    leader: leader.url,
    standby,
    replay: async (how) => {
      const asked = `if pg_is_in_recovery() then perform pg_wal_replay_${how}(); end if`;
      await ask(standby, `do $$ begin ${asked}; end $$`);
    },
    tell: async (what) => {
      keeper.stdin?.write(`${what}\n`);
      await lineOf(keeper);
    },
  };
}

/** Runs a statement on a server. */
export async function ask<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(statement)).rows as Row[];
  } finally {
    await client.end();
  }
}

async function lineOf(keeper: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    keeper.stdout?.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
    keeper.once('close', () => reject(new Error('the standby did not start')));
  });
}
