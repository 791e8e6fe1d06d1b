import { messages as accountMessages } from '#features/users/admin-contract.ts';
import { namesOfSchools } from '#features/users/memberships/server/school-names.ts';
import { lockOwnAccount } from '#features/users/server/current-account.ts';
import { findSelectedUsers } from '#features/users/server/selected-users.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf, type Viewer } from '#server/http/viewer.ts';
import { withNameLanguage } from '#server/i18n/locale.ts';
import { translate } from '#server/i18n/translator.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { errors } from '#shared/errors.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import { sendsMail } from '../../reminders/server/preferences.ts';
import {
  ANNOUNCEMENT_LIMITS,
  messages,
  type previewAnnouncement,
  type sendAnnouncement,
} from '../contract.ts';
import { messages as preferenceMessages } from '../preference-contract.ts';
import { announcementClosing, announcementGreeting, encryptAnnouncement } from './emails.ts';
import {
  countAnnouncementsSince,
  findSenderContact,
  findUnsubscribed,
  insertAnnouncement,
  listRecentAnnouncements,
  savePreference,
  saveUnsubscribe,
  wantsAnnouncements,
} from './store.ts';

type Recipients = BodyOf<typeof previewAnnouncement>;

/** Returns which people would get an announcement, which would not, and the lines around its text. */
export async function readPreview(deps: Deps, viewer: Viewer, to: Recipients) {
  const { db } = deps.database;
  const { total, receivers, left } = await findRecipients(deps, viewer, to);
  const sender = await findSender(deps, db, viewer);
  // The preview greets the first recipient.
  const reader = await findSenderContact(db, receivers[0] ?? viewer.userId);
  return {
    sendsMail: sendsMail(deps),
    total,
    receivers: receivers.length,
    left,
    leftToday: await countLeftToday(deps, db, viewer.userId),
    opening: announcementGreeting(deps, reader.firstName),
    closing: announcementClosing(deps, sender),
  };
}

/** Finds the recipients before anything is locked. Throws 409 without a mail server. */
export async function prepareAnnouncement(deps: Deps, viewer: Viewer, to: Recipients) {
  const found = await findRecipients(deps, viewer, to);
  if (!sendsMail(deps)) throw errors.conflict(messages.noMailServer);
  return found;
}

/** Stores an announcement with its recipients; emails are queued in batches. */
export async function storeAnnouncement(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  {
    input,
    prepared: { receivers },
  }: { input: BodyOf<typeof sendAnnouncement>; prepared: Awaited<ReturnType<typeof prepareAnnouncement>> },
) {
  // Serializes concurrent announcements of a sender, so that the daily limit counts both.
  await lockOwnAccount(trx, viewer);
  if ((await countLeftToday(deps, trx, viewer.userId)) === 0) {
    throw errors.tooManyTries(messages.enoughToday, DAY_MS / 1_000);
  }
  if (receivers.length === 0) throw errors.conflict(messages.nobody);
  if (receivers.length !== input.receivers) throw errors.countChanged(messages.otherCount, receivers.length);
  const { subject } = input;
  const { places, email } = await findSender(deps, trx, viewer);
  const sealed = encryptAnnouncement(deps, { subject, text: input.text, places, email });
  const total = receivers.length;
  const at = request.at;
  const id = await insertAnnouncement(trx, { senderId: viewer.userId, subject, sealed, at }, receivers);
  await recordEvent(trx, actorOf(viewer, request), {
    action: 'people.write',
    subject: 'user',
    subjectId: null,
    schoolId: onlySchool(viewer),
    after: { subject, letters: total },
  });
  const mailing = { id, subject, total, posted: 0, createdAt: at, isFinished: false };
  return { mailing, message: translate(deps, messages.sent(total)) };
}

/** Returns the viewer's recent announcements. */
export async function listOwnAnnouncements(deps: Deps, { userId }: Viewer) {
  return { mailings: await listRecentAnnouncements(deps.database.db, userId) };
}

const DAY_MS = 86_400_000;

async function findRecipients(deps: Deps, viewer: Viewer, { userIds, matching }: Recipients) {
  const hasIds = userIds !== null && userIds !== undefined;
  const hasFilters = matching !== null && matching !== undefined;
  if (hasIds === hasFilters) throw errors.invalid(accountMessages.chooseUsers);
  const limit = ANNOUNCEMENT_LIMITS.recipients + 1;
  const people = await findSelectedUsers(deps, viewer, { userIds, matching, limit });
  if (people.length > ANNOUNCEMENT_LIMITS.recipients) throw errors.invalid(messages.tooManyPeople);
  const stopped = await findUnsubscribed(
    deps.database.db,
    people.map(({ id }) => id),
  );
  const left = { walkIns: 0, inactive: 0, unconfirmed: 0, stopped: 0 };
  const receivers: number[] = [];
  for (const { id, isWalkIn, isActive, isConfirmed } of people) {
    if (isWalkIn) left.walkIns += 1;
    else if (!isActive) left.inactive += 1;
    else if (!isConfirmed) left.unconfirmed += 1;
    else if (stopped.has(id)) left.stopped += 1;
    else receivers.push(id);
  }
  return { total: people.length, receivers, left };
}

// Names the sender's schools, or the district if the sender may email all schools or more than three. The names are the same
// for all recipients. Replies go to the support address if the sender's own address is not confirmed.
async function findSender(deps: Deps, db: Db, viewer: Viewer) {
  const { districtName, supportEmail } = deps.config;
  const sender = await findSenderContact(db, viewer.userId);
  const { schools } = viewer;
  const places =
    schools === 'all' || schools.length > MAX_NAMED_SCHOOLS
      ? [districtName]
      : await withNameLanguage(LANGUAGES[0], () => namesOfSchools(db, schools));
  return { ...sender, places, email: sender.isConfirmed ? sender.email : supportEmail };
}

const MAX_NAMED_SCHOOLS = 3;

async function countLeftToday(deps: Deps, db: Db, userId: number): Promise<number> {
  const since = plusMilliseconds(deps.clock.now(), -DAY_MS);
  return Math.max(0, ANNOUNCEMENT_LIMITS.perDay - (await countAnnouncementsSince(db, userId, since)));
}

function onlySchool({ schools }: Viewer): number | null {
  return schools !== 'all' && schools.length === 1 ? (schools[0] ?? null) : null;
}

/** Returns whether the viewer gets announcements. */
export async function readAnnouncementPreference(deps: Deps, { userId }: Viewer) {
  return { isWanted: sendsMail(deps) ? await wantsAnnouncements(deps.database.db, userId) : null };
}

/** Turns announcements on or off; nothing changes if the district sends no email. */
export function setAnnouncementPreference(
  deps: Deps,
  { viewer, request }: Acting,
  wanted: boolean | undefined,
) {
  return transaction(deps.database, async (trx) => {
    await lockOwnAccount(trx, viewer);
    const mayChange = sendsMail(deps);
    const before = await wantsAnnouncements(trx, viewer.userId);
    const wants = wanted ?? before;
    if (mayChange && before !== wants) await savePreference(trx, viewer.userId, wants, request.at);
    return { isWanted: mayChange ? wants : null, message: translate(deps, preferenceMessages.saved) };
  });
}

/** Turns announcements off for a user, who need not be signed in. */
export function unsubscribeFromAnnouncements(deps: Deps, userId: number): Promise<void> {
  return transaction(deps.database, (trx) => saveUnsubscribe(trx, userId, deps.clock.now()));
}
