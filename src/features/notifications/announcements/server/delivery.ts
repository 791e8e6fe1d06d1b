import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { countOfKind, encryptEmail, noticeExpiry, queueEncryptedEmails } from '#server/email/outbox.ts';
import { type BackgroundJob, startBackgroundJob } from '#server/jobs/background-job.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { schoolsWhereAllowed } from '#shared/permissions.ts';
import { sendsMail } from '../../reminders/server/preferences.ts';
import { decryptAnnouncement, letterFrom, type Written } from './emails.ts';
import {
  addDeliveredCount,
  claimAnnouncementRecipients,
  currentSenderPermissions,
  finish,
  nextAnnouncementRecipients,
  unfinishedAnnouncements,
} from './store.ts';

/**
 * Recipients per batch; a batch blocks the database for a fraction of a second. While that many emails are pending, no more
 * are queued, so that a password reset link requested meanwhile is sent within seconds.
 */
export const AT_ONCE = 50;
/** How many emails may wait for a retry, for example while the mail server is down. */
export const MAX_AWAITING_RETRY = 500;
/** The pause between batches, so that waiting requests can write. */
const BREATH_MS = 15;
const PACE = { everyMs: 1_000, failure: 'an announcement could not be queued and will be retried' };
const KIND = 'to-many';

/** Queues announcements until stopped; the next start resumes. */
export function startAnnouncementDelivery(deps: Deps): BackgroundJob {
  return startBackgroundJob(deps, PACE, (signal) => deliverAllAnnouncements(deps, signal));
}

/** Queues batches of every announcement in turn, until none is left or the outbox has enough pending emails. */
export async function deliverAllAnnouncements(deps: Deps, signal?: AbortSignal): Promise<void> {
  let hasMore = true;
  while (hasMore) {
    hasMore = false;
    const mailings = await unfinishedAnnouncements(deps.database.db);
    // The mail server may have been configured or removed on another server.
    if (mailings.length > 0) await deps.settings.refresh();
    for (const mailing of mailings) {
      if (signal?.aborted === true) return;
      if (await deliverAnnouncementBatch(deps, mailing)) hasMore = true;
      await deps.clock.sleep(BREATH_MS, signal);
    }
  }
}

type AtWork = Awaited<ReturnType<typeof unfinishedAnnouncements>>[number];

/**
 * Queues an announcement for its next recipients, or finishes it; false if it has to wait. Safe on several servers at the
 * same time: each recipient gets one email.
 */
export async function deliverAnnouncementBatch(deps: Deps, mailing: AtWork): Promise<boolean> {
  const at = deps.clock.now();
  const written =
    at < noticeExpiry(mailing.createdAt) ? decryptAnnouncement(deps, mailing.sealed) : undefined;
  if (written !== undefined && !(await hasRoom(deps, at))) return false;
  const people =
    written === undefined ? [] : await nextAnnouncementRecipients(deps.database.db, mailing.id, AT_ONCE);
  if (written === undefined || people.length === 0) {
    // No recipients are left, the text is out of date, or it was encrypted with another key.
    await transaction(deps.database, (trx) => finish(trx, mailing.id, at));
    return true;
  }
  const ready = people.map((person) => ({ ...person, sealed: sealed(deps, mailing, written, person) }));
  await transaction(deps.database, async (trx) => {
    // The sender may have lost the role meanwhile, or have it at other schools.
    const places = schoolsWhereAllowed(
      await currentSenderPermissions(trx, mailing.senderId),
      'write to people',
    );
    if (places !== 'all' && places.length === 0) return finish(trx, mailing.id, at);
    const ids = ready.map(({ id }) => id);
    const taken = await claimAnnouncementRecipients(trx, mailing.id, ids, places);
    const letters = ready.filter(({ id, email }) => taken.get(id) === email);
    await queueEncryptedEmails(
      trx,
      letters.map(({ id, sealed }) => ({ userId: id, letter: sealed })),
    );
    await addDeliveredCount(trx, mailing.id, letters.length);
  });
  return true;
}

// Without a mail server, emails would only become files. The announcement waits until there is one again.
async function hasRoom(deps: Deps, at: Instant): Promise<boolean> {
  if (!sendsMail(deps)) return false;
  const { due, waiting } = await countOfKind(deps.database.db, KIND, at);
  return due < AT_ONCE && waiting < MAX_AWAITING_RETRY;
}

function sealed(
  deps: Deps,
  mailing: AtWork,
  { places, email, ...written }: Written,
  reader: Parameters<typeof letterFrom>[2],
) {
  const at = deps.clock.now();
  const { firstName, lastName } = mailing;
  const letter = letterFrom(deps, { firstName, lastName, email, places }, reader, written);
  return encryptEmail(deps, { kind: KIND, letter, at, expiresAt: noticeExpiry(mailing.createdAt) });
}
