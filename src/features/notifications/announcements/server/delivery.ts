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
 * How many people are written to at once: it holds the database for a fraction of a second. While so many wait to be sent
 * there are no more, so that a password link that somebody asks for meanwhile is sent within seconds.
 */
export const AT_ONCE = 50;
/** How many may wait for another try, as they do while the mail server cannot be reached. */
export const MAX_AWAITING_RETRY = 500;
/** Between two of these, so that calls that wait to write get their turn. */
const BREATH_MS = 15;
const KIND = 'to-many';

/** Posts letters to many until stopped; the next start goes on where it was. */
export function startAnnouncementDelivery(deps: Deps): BackgroundJob {
  return startBackgroundJob(deps, 'a letter to many was held up', (signal) =>
    deliverAllAnnouncements(deps, signal),
  );
}

/** Posts what there is to post, of every letter in turn, until nothing is left or the outbox has enough of them. */
export async function deliverAllAnnouncements(deps: Deps, signal?: AbortSignal): Promise<void> {
  let hasMore = true;
  while (hasMore) {
    hasMore = false;
    const mailings = await unfinishedAnnouncements(deps.database.db);
    // Another server may have been given a mail server, or lost it.
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
 * Posts a letter to the next of its people, or ends it; false when it has to wait. Several servers may do so at once: each
 * person gets one.
 */
export async function deliverAnnouncementBatch(deps: Deps, mailing: AtWork): Promise<boolean> {
  const at = deps.clock.now();
  const written =
    at < noticeExpiry(mailing.createdAt) ? decryptAnnouncement(deps, mailing.sealed) : undefined;
  if (written !== undefined && !(await hasRoom(deps, at))) return false;
  const people =
    written === undefined ? [] : await nextAnnouncementRecipients(deps.database.db, mailing.id, AT_ONCE);
  if (written === undefined || people.length === 0) {
    // Nobody is left, what it says is old news, or the text was sealed with another key.
    await transaction(deps.database, (trx) => finish(trx, mailing.id, at));
    return true;
  }
  const ready = people.map((person) => ({ ...person, sealed: sealed(deps, mailing, written, person) }));
  await transaction(deps.database, async (trx) => {
    // Whoever wrote it may have lost the role meanwhile, or have it at other schools.
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

// Without a mail server they would become files that nobody gets; the letter waits until one is set again.
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
