import { type Instant, millisecondsOf } from '#shared/calendar-date.ts';
import { getServerStates, setServerState } from '../db/server-state.ts';
import type { Deps } from '../deps.ts';
import { isGone, THIS_PROCESS } from '../process/process-identity.ts';
import { sign } from '../secrets.ts';

const SEEN = 'mail-settings';
const DIFFER = 'mail-settings:differ';
const RECENT_MS = 180_000;

type Seen = Readonly<{ digest: string; by: string }>;

/**
 * Compares this server's mail settings with those of the server that checked before it, once a minute. Any
 * server of a database may send pending emails, so one without SMTP_URL would write the others' emails to
 * files.
 */
export async function compareEmailSettings({ config, database, clock, log, secretKey }: Deps): Promise<void> {
  const { db } = database;
  const now = clock.now();
  const digest = sign(secretKey, 'mail settings', JSON.stringify([config.smtpUrl ?? null, config.mailFrom]));
  const stored = (await getServerStates(db, [SEEN])).get(SEEN);
  const other = stored === undefined ? undefined : (JSON.parse(stored.value) as Seen);
  const isOther = other !== undefined && other.by !== THIS_PROCESS && !isGone(other.by);
  if (stored !== undefined && isOther && other.digest !== digest && isRecent(stored.at, now)) {
    log.error('another server on this database has different mail settings. Either one may send an email');
    await setServerState(db, DIFFER, other.by, now);
  }
  await setServerState(db, SEEN, JSON.stringify({ digest, by: THIS_PROCESS } satisfies Seen), now);
}

/** Whether servers of this database had different mail settings in the last few minutes. */
export async function emailSettingsDiffer({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<boolean> {
  const stored = (await getServerStates(database.db, [DIFFER])).get(DIFFER);
  return stored !== undefined && isRecent(stored.at, clock.now());
}

function isRecent(at: Instant, now: Instant): boolean {
  return Math.abs(millisecondsOf(now) - millisecondsOf(at)) < RECENT_MS;
}
