import { SCHOOL_FIELDS } from '#features/schools/school-fields.ts';
import { emailKey } from '#features/users/contract.ts';
import { canEmail } from '#features/users/server/email-limits.ts';
import { ownAddresses } from '#features/users/server/own-emails.ts';
import { recordEvents } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { lockTables } from '#server/db/row-locks.ts';
import type { Deps } from '#server/deps.ts';
import { type EmailContent, linkTo } from '#server/email/email.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { isUnsubscribed } from '#server/email/unsubscribed-address-store.ts';
import type { Request } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import type { DailyJob } from '#server/jobs/daily-jobs.ts';
import { hashToken, newToken } from '#server/secrets.ts';
import { dayIn, formatDayLong, type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { translatedText } from '#shared/content-translations.ts';
import { canonicalMailbox } from '#shared/email-address.ts';
import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import type { Message } from '#shared/i18n/message.ts';
import {
  EMAIL_REPEAT_LIMITS,
  EXTERNAL_EMAIL_HOUR,
  EXTERNAL_LINK_LIMITS,
  say,
  TOKEN_PREFIX,
} from '../contract.ts';
import {
  countRequestsFor,
  deleteVerifierEmailsBefore,
  findLastEmailTime,
  findPendingVerification,
  findPendingVerifications,
  insertVerifierEmail,
  linkToOutbox,
  type PendingVerification,
  saveDeliveryStatus,
} from './store.ts';

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 30;
const BATCH_SIZE = 1_000;

/**
 * Every day at 17:00: sends each external verifier one email with all hours that wait for them, if any is new or due
 * for a reminder. Each email is its own transaction, so an interrupted run loses none and the rest follow next time.
 */
export const externalVerifierEmailJob = {
  name: 'outside-letters',
  fromHour: EXTERNAL_EMAIL_HOUR,
  runLong: async (deps, mustStop) => {
    for (const [, waiting] of await groupPendingByMailbox(deps)) {
      if (mustStop()) return false;
      await emailVerifier(deps, waiting);
    }
    return true;
  },
} satisfies DailyJob;

/**
 * Emails an external verifier immediately about these entries if no earlier email to the address is stored. Otherwise they wait
 * for the daily email. The rate limits for emails that users trigger apply; if one is reached, these entries wait too.
 */
export async function emailVerifierNow(
  deps: Deps,
  request: Request,
  entryIds: readonly number[],
): Promise<void> {
  const { db } = deps.database;
  const found = await Promise.all(entryIds.map((entryId) => findPendingVerification(db, entryId)));
  const waiting = found.flatMap((one) => one ?? []);
  const [first] = waiting;
  if (first === undefined) return;
  if ((await findLastEmailTime(db, canonicalMailbox(first.address))) !== undefined) return;
  if (!(await canEmail(deps, request, first.address, first.volunteerId))) return;
  await emailVerifier(deps, waiting);
}

/**
 * Emails the external verifier immediately after hours were stored. A failure is only logged, since the daily email will
 * include them.
 */
export async function tryEmailVerifierNow(
  deps: Deps,
  request: Request,
  entryIds: readonly number[],
): Promise<void> {
  await emailVerifierNow(deps, request, entryIds).catch((error: unknown) => {
    deps.log.error({ err: error }, 'emailing an external verifier failed');
  });
}

/**
 * Stores the delivery status of emails while the outbox has it, and deletes them a month after their links expired.
 */
export async function cleanUpVerifierEmails(trx: Trx, now: Instant): Promise<void> {
  await saveDeliveryStatus(trx);
  await deleteVerifierEmailsBefore(trx, plusMilliseconds(now, -RETENTION_DAYS * DAY_MS));
}

async function groupPendingByMailbox(deps: Deps): Promise<Map<string, PendingVerification[]>> {
  const found = new Map<string, PendingVerification[]>();
  let afterId = 0;
  for (;;) {
    const some = await findPendingVerifications(deps.database.db, afterId, BATCH_SIZE);
    for (const one of some) {
      const mailbox = canonicalMailbox(one.address);
      found.set(mailbox, [...(found.get(mailbox) ?? []), one]);
    }
    const last = some.at(-1);
    if (some.length < BATCH_SIZE || last === undefined) return found;
    afterId = last.entryId;
  }
}

async function emailVerifier(deps: Deps, waiting: readonly PendingVerification[]): Promise<void> {
  const [first] = waiting;
  if (first === undefined) return;
  const addressKey = canonicalMailbox(first.address);
  const now = deps.clock.now();
  await transaction(deps.database, async (trx) => {
    // Locked until the email is stored, so that no second email and no unsubscription can come in between.
    await lockTables(trx, ['external_verifier_unsubscribes']);
    if (await isUnsubscribed(trx, first.address)) return;
    const last = await findLastEmailTime(trx, addressKey);
    const { timeZone } = deps.config;
    if (last !== undefined && dayIn(timeZone, last) >= dayIn(timeZone, now)) return;
    const people = waiting.map(({ volunteerId }) => volunteerId);
    const isOwn = await ownAddresses(trx, people);
    const others = waiting.filter(({ address, volunteerId }) => !isOwn(volunteerId, address));
    const requests = await countRequestsFor(
      trx,
      addressKey,
      others.map(({ entryId }) => entryId),
    );
    const again = plusMilliseconds(now, -EMAIL_REPEAT_LIMITS.againAfterDays * DAY_MS);
    const isDue = ({ entryId, version }: PendingVerification) => {
      const before = requests.get(entryId);
      if (before === undefined || before.version < version) return true;
      return before.letters < EMAIL_REPEAT_LIMITS.letters && before.lastAt <= again;
    };
    const due = others.filter(isDue);
    if (due.length === 0) return;
    // Due entries come first; those that do not fit are in the next email.
    const rest = others.filter((one) => !isDue(one));
    await sendEmail(trx, deps, first.address, groupBySchool([...due, ...rest]));
  });
}

async function sendEmail(
  trx: Trx,
  deps: Deps,
  address: string,
  schools: readonly SchoolEntries[],
): Promise<void> {
  const madeAt = deps.clock.now();
  const expiresAt = plusMilliseconds(madeAt, EXTERNAL_LINK_LIMITS.days * DAY_MS);
  const sent: { id: number; entries: SchoolEntries; token: string }[] = [];
  for (const entries of schools) {
    const token = `${TOKEN_PREFIX}${newToken()}`;
    const id = await insertVerifierEmail(
      trx,
      {
        tokenHash: hashToken(token),
        schoolId: entries[0].schoolId,
        address: emailKey(address),
        addressKey: canonicalMailbox(address),
        madeAt,
        madeDay: dayIn(deps.config.timeZone, madeAt),
        expiresAt,
      },
      entries,
    );
    if (id !== undefined) sent.push({ id, entries, token });
  }
  if (sent.length === 0) return;
  await recordRequests(trx, emailKey(address), madeAt, sent);
  const email = composeEmail(deps, address, sent, expiresAt);
  const outgoing = { kind: 'outside-verifier', userId: null, letter: email, at: madeAt, expiresAt };
  const mailId = await queueEmail(trx, deps, outgoing);
  await linkToOutbox(
    trx,
    sent.map(({ id }) => id),
    mailId,
  );
}

// Records an audit event for each entry, with the external verifier who was asked.
async function recordRequests(
  trx: Trx,
  address: string,
  at: Instant,
  sent: readonly SentRequest[],
): Promise<void> {
  const entries = sent.flatMap(({ entries }) => entries);
  const auditEvents = entries.map(({ entryId, schoolId, volunteerId }) => ({
    action: 'entry.ask-outside',
    subject: 'time-entry',
    subjectId: entryId,
    schoolId,
    personId: volunteerId,
    after: { by: address },
  }));
  await recordEvents(trx, { userId: null, at, address: null, requestId: null }, auditEvents);
}

type SchoolEntries = readonly [PendingVerification, ...PendingVerification[]];

// Entries above the limit of a school's link follow in a later email.
function groupBySchool(waiting: readonly PendingVerification[]): SchoolEntries[] {
  const schools = new Map<number, [PendingVerification, ...PendingVerification[]]>();
  for (const one of waiting) {
    const entries = schools.get(one.schoolId);
    if (entries === undefined) schools.set(one.schoolId, [one]);
    else if (entries.length < EXTERNAL_LINK_LIMITS.entries) entries.push(one);
  }
  return [...schools.values()];
}

type SentRequest = Readonly<{ entries: SchoolEntries; token: string }>;

// The email names no volunteer, because the address may be mistyped and belong to a stranger.
function composeEmail(
  deps: Deps,
  address: string,
  schools: readonly SentRequest[],
  expiresAt: Instant,
): EmailContent {
  const parts = LANGUAGES.map((language) => renderInLanguage(language, deps, schools, expiresAt));
  const [first, ...more] = schools;
  const isOne = first !== undefined && more.length === 0;
  return {
    to: { name: '', address },
    language: LANGUAGES[0],
    subject: parts.map(({ subject }) => subject).join(' / '),
    paragraphs: parts.flatMap(({ paragraphs }) => paragraphs),
    ...(isOne
      ? {
          button: {
            label: parts.map(({ open }) => open).join(' / '),
            url: linkTo(deps, 'verify', first.token),
          },
        }
      : {}),
    footnotes: parts.flatMap(({ footnotes }) => footnotes),
  };
}

// Each part of the email names the school in its own language.
function schoolNameIn(language: Language, { school, translations }: PendingVerification): string {
  return translatedText(language, 'name', school, SCHOOL_FIELDS.translations.fromColumn(translations));
}

function renderInLanguage(
  language: Language,
  deps: Deps,
  schools: readonly SentRequest[],
  expiresAt: Instant,
) {
  const { districtName: district, supportEmail: email, timeZone } = deps.config;
  const translator = deps.translators.forLanguage(language);
  const t = (message: Message) => translate({ translator }, message);
  const marked = (message: Message) => ({ words: t(message), language });
  const names = schools.map(({ entries: [entry] }) => schoolNameIn(language, entry));
  const isOne = schools.length === 1;
  const links = schools.map(({ entries: [entry], token }) =>
    marked(
      say('outsideOpenAt', { school: schoolNameIn(language, entry), url: linkTo(deps, 'verify', token) }),
    ),
  );
  return {
    subject: t(
      isOne
        ? say('outsideSubject', { school: names[0] ?? '' })
        : say('outsideSubjectMany', { count: names.length }),
    ),
    open: t(say('outsideOpen')),
    paragraphs: [
      marked(say('outsideHello')),
      ...schools.map(({ entries }) =>
        marked(
          say('outsideAsks', { count: entries.length, school: schoolNameIn(language, entries[0]), district }),
        ),
      ),
      marked(say('outsideWhatToDo')),
      ...(isOne ? [] : links),
    ],
    footnotes: [
      marked(say('outsideUntil', { date: formatDayLong(dayIn(timeZone, expiresAt), translator.language) })),
      marked(say('outsideFooter', { district, email })),
    ],
  };
}
