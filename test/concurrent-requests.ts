import { sql } from 'kysely';
import { type Trx, transaction } from '#server/db/database.ts';
import { ENGINE, type Reply, type TestApp } from './harness.ts';

const HEAD_START_MS = 100;
/** The longest time until a request waits for the change, on a busy machine. */
const MAX_WAIT_MS = 3_000;

/** Sends a request while a change is written but not yet committed. Returns the reply after the commit. */
export async function sendDuring(
  app: TestApp,
  change: (trx: Trx) => Promise<unknown>,
  send: () => Promise<Reply>,
): Promise<Reply> {
  const sent: Promise<Reply>[] = [];
  await transaction(app.deps.database, async (trx) => {
    await change(trx);
    const began = performance.now();
    sent.push(send());
    do await pause(HEAD_START_MS);
    while (performance.now() - began < MAX_WAIT_MS && !(await isRequestWaiting(app)));
  });
  const [reply] = await Promise.all(sent);
  if (reply === undefined) throw new Error('nothing was sent');
  return reply;
}

// On SQLite every writer waits.
async function isRequestWaiting({ deps }: TestApp): Promise<boolean> {
  if (ENGINE === 'sqlite') return true;
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(deps.database.db);
  return rows.length > 0;
}

const pause = (milliseconds: number) => new Promise((resume) => setTimeout(resume, milliseconds));
