import { rightsHolderOf } from '#features/users/roles/server/actions.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { countOfKind, encryptEmail, noticeExpiry, queueEncryptedEmails } from '#server/email/outbox.ts';
import { type BackgroundJob, startBackgroundJob } from '#server/jobs/background-job.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { schoolsWhereAllowed } from '#shared/permissions.ts';
import { sendsMail } from '../../reminders/server/preferences.ts';
import { type AnnouncementContent, announcementEmail, decryptAnnouncement } from './emails.ts';
import {
  addDeliveredCount,
  claimAnnouncementRecipients,
  findNextRecipients,
  finishAnnouncement,
  listUnfinishedAnnouncements,
} from './store.ts';

/**
 * Recipients per batch; a batch blocks the database for a fraction of a second. No batch is queued while this many emails are
 * pending, so that a password reset link requested meanwhile is sent within seconds.
 */
export const BATCH_SIZE = 50;
/** How many emails may wait for a retry, for example while the mail server is down. */
export const MAX_AWAITING_RETRY = 500;
/** The pause between batches, so that waiting requests can write. */
const PAUSE_MS = 15;
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
    const mailings = await listUnfinishedAnnouncements(deps.database.db);
    // The mail server may have been configured or removed on another server.
    if (mailings.length > 0) await deps.settings.refresh();
    for (const mailing of mailings) {
      if (signal?.aborted === true) return;
      if (await deliverAnnouncementBatch(deps, mailing)) hasMore = true;
      await deps.clock.sleep(PAUSE_MS, signal);
    }
  }
}

type UnfinishedAnnouncement = Awaited<ReturnType<typeof listUnfinishedAnnouncements>>[number];

/**
 * Queues an announcement for its next recipients, or finishes it; false if it has to wait. Safe on several servers at the
 * same time: each recipient gets one email.
 */
export async function deliverAnnouncementBatch(
  deps: Deps,
  mailing: UnfinishedAnnouncement,
): Promise<boolean> {
  const at = deps.clock.now();
  const content =
    at < noticeExpiry(mailing.createdAt) ? decryptAnnouncement(deps, mailing.sealed) : undefined;
  if (content !== undefined && !(await canQueueMore(deps, at))) return false;
  const people =
    content === undefined ? [] : await findNextRecipients(deps.database.db, mailing.id, BATCH_SIZE);
  if (content === undefined || people.length === 0) {
    // No recipients are left, the text is out of date, or it was encrypted with another key.
    await transaction(deps.database, (trx) => finishAnnouncement(trx, mailing.id, at));
    return true;
  }
  const ready = people.map((person) => ({ ...person, sealed: encryptFor(deps, mailing, content, person) }));
  await transaction(deps.database, async (trx) => {
    // The sender may have lost the role meanwhile, or may now have it at other schools.
    const sender = await rightsHolderOf(trx, mailing.senderId);
    const places = sender === undefined ? [] : schoolsWhereAllowed(sender, 'write to people');
    if (places !== 'all' && places.length === 0) return finishAnnouncement(trx, mailing.id, at);
    const ids = ready.map(({ id }) => id);
    const claimed = await claimAnnouncementRecipients(trx, mailing.id, ids, places);
    const emails = ready.filter(({ id, email }) => claimed.get(id) === email);
    await queueEncryptedEmails(
      trx,
      emails.map(({ id, sealed }) => ({ userId: id, letter: sealed })),
    );
    await addDeliveredCount(trx, mailing.id, emails.length);
  });
  return true;
}

// Without a mail server, emails would only become files, so the announcement waits until there is one again.
async function canQueueMore(deps: Deps, at: Instant): Promise<boolean> {
  if (!sendsMail(deps)) return false;
  const { due, waiting } = await countOfKind(deps.database.db, KIND, at);
  return due < BATCH_SIZE && waiting < MAX_AWAITING_RETRY;
}

function encryptFor(
  deps: Deps,
  mailing: UnfinishedAnnouncement,
  { places, email, ...content }: AnnouncementContent,
  reader: Parameters<typeof announcementEmail>[2],
) {
  const at = deps.clock.now();
  const { firstName, lastName } = mailing;
  const letter = announcementEmail(deps, { firstName, lastName, email, places }, reader, content);
  return encryptEmail(deps, { kind: KIND, letter, at, expiresAt: noticeExpiry(mailing.createdAt) });
}
