import { SCHOOL_FIELDS } from '#features/schools/school-fields.ts';
import { emailKey } from '#features/users/contract.ts';
import { canEmail } from '#features/users/server/email-limits.ts';
import { ownAddresses } from '#features/users/server/own-emails.ts';
import { recordAll } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { lockTables } from '#server/db/row-locks.ts';
import type { Deps } from '#server/deps.ts';
import { type Letter, linkTo } from '#server/email/email.ts';
import { post } from '#server/email/outbox.ts';
import { isStopped } from '#server/email/unsubscribed-address-store.ts';
import type { Request } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import type { DailyJob } from '#server/jobs/daily-jobs.ts';
import { hashToken, newToken } from '#server/secrets.ts';
import { dayIn, formatDayLong, type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { textIn } from '#shared/content-translations.ts';
import { mailboxOf } from '#shared/email-address.ts';
import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import type { Message } from '#shared/i18n/message.ts';
import { ASKING, EXTERNAL_EMAIL_HOUR, OUTSIDE, TOKEN_MARK } from '../contract.ts';
import { say } from './messages.ts';
import {
  type Asking,
  countRequestsFor,
  deleteVerifierEmailsBefore,
  findPendingVerification,
  findPendingVerifications,
  insertVerifierEmail,
  lastVerifierEmailTo,
  linkToOutbox,
  saveDeliveryStatus,
} from './store.ts';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;
const AT_ONCE = 1_000;

/**
 * Every day at 17:00: one letter to each supervisor with everything that waits for them, when something is new or was
 * last asked about a week ago. A letter a supervisor is a transaction: a stop in between loses none, and the rest goes
 * the next time.
 */
export const externalVerifierEmailJob = {
  name: 'outside-letters',
  fromHour: EXTERNAL_EMAIL_HOUR,
  runLong: async (deps, mustStop) => {
    for (const [, waiting] of await waitingByMailbox(deps)) {
      if (mustStop()) return false;
      await writeTo(deps, waiting);
    }
    return true;
  },
} satisfies DailyJob;

/**
 * Asks at once about the first entry that names a supervisor, or the first ones logged together; those after them wait for
 * the day's letter. Letters that volunteers can cause are limited as all others are: beyond the limit this one waits too.
 */
export async function emailVerifierNow(
  deps: Deps,
  request: Request,
  entryIds: readonly number[],
): Promise<void> {
  const { db } = deps.database;
  const found = await Promise.all(entryIds.map((entryId) => findPendingVerification(db, entryId)));
  const waiting = found.flatMap((one) => one ?? []);
  const [asking] = waiting;
  if (asking === undefined) return;
  if ((await lastVerifierEmailTo(db, mailboxOf(asking.address))) !== undefined) return;
  if (!(await canEmail(deps, request, asking.address, asking.volunteerId))) return;
  await writeTo(deps, waiting);
}

/** The same after hours were stored: what goes wrong with the letter is not the volunteer's affair, it goes later. */
export async function tryEmailVerifierNow(
  deps: Deps,
  request: Request,
  entryIds: readonly number[],
): Promise<void> {
  await emailVerifierNow(deps, request, entryIds).catch((error: unknown) => {
    deps.log.error({ err: error }, 'a supervisor could not be asked at once');
  });
}

/** Notes what became of letters while the outbox knows it, and deletes them a month after their links stopped working. */
export async function sweepOutsideLetters(trx: Trx, now: Instant): Promise<void> {
  await saveDeliveryStatus(trx);
  await deleteVerifierEmailsBefore(trx, plusMilliseconds(now, -KEPT_DAYS * DAY_MS));
}

async function waitingByMailbox(deps: Deps): Promise<Map<string, Asking[]>> {
  const found = new Map<string, Asking[]>();
  let afterId = 0;
  for (;;) {
    const some = await findPendingVerifications(deps.database.db, afterId, AT_ONCE);
    for (const one of some) {
      const mailbox = mailboxOf(one.address);
      found.set(mailbox, [...(found.get(mailbox) ?? []), one]);
    }
    const last = some.at(-1);
    if (some.length < AT_ONCE || last === undefined) return found;
    afterId = last.entryId;
  }
}

async function writeTo(deps: Deps, waiting: readonly Asking[]): Promise<void> {
  const [first] = waiting;
  if (first === undefined) return;
  const addressKey = mailboxOf(first.address);
  const now = deps.clock.now();
  await transaction(deps.database, async (trx) => {
    // One at a time, and none beside somebody who stops them: what is read here must still hold when the letter is there.
    await lockTables(trx, ['outside_stops']);
    if (await isStopped(trx, first.address)) return;
    const last = await lastVerifierEmailTo(trx, addressKey);
    const { timeZone } = deps.config;
    if (last !== undefined && dayIn(timeZone, last) >= dayIn(timeZone, now)) return;
    const people = waiting.map(({ volunteerId }) => volunteerId);
    const isOwn = await ownAddresses(trx, people);
    const others = waiting.filter(({ address, volunteerId }) => !isOwn(volunteerId, address));
    const asked = await countRequestsFor(
      trx,
      addressKey,
      others.map(({ entryId }) => entryId),
    );
    const again = plusMilliseconds(now, -ASKING.againAfterDays * DAY_MS);
    const mayAsk = ({ entryId, version }: Asking) => {
      const before = asked.get(entryId);
      if (before === undefined || before.version < version) return true;
      return before.letters < ASKING.letters && before.lastAt <= again;
    };
    const due = others.filter(mayAsk);
    if (due.length === 0) return;
    // What is due comes first: of very many, those that no letter had room for are in the next one.
    const rest = others.filter((one) => !mayAsk(one));
    await sendTo(trx, deps, first.address, bySchool([...due, ...rest]));
  });
}

async function sendTo(trx: Trx, deps: Deps, address: string, schools: readonly OfSchool[]): Promise<void> {
  const madeAt = deps.clock.now();
  const expiresAt = plusMilliseconds(madeAt, OUTSIDE.days * DAY_MS);
  const sent: { id: number; entries: OfSchool; token: string }[] = [];
  for (const entries of schools) {
    const token = `${TOKEN_MARK}${newToken()}`;
    const id = await insertVerifierEmail(
      trx,
      {
        tokenHash: hashToken(token),
        schoolId: entries[0].schoolId,
        address: emailKey(address),
        addressKey: mailboxOf(address),
        madeAt,
        madeDay: dayIn(deps.config.timeZone, madeAt),
        expiresAt,
      },
      entries,
    );
    if (id !== undefined) sent.push({ id, entries, token });
  }
  if (sent.length === 0) return;
  await recordAsked(trx, emailKey(address), madeAt, sent);
  const letter = compose(deps, address, sent, expiresAt);
  const mailId = await post(trx, deps, {
    kind: 'outside-verifier',
    userId: null,
    letter,
    at: madeAt,
    expiresAt,
  });
  await linkToOutbox(
    trx,
    sent.map(({ id }) => id),
    mailId,
  );
}

// The history of each entry says that somebody outside was asked, and who.
async function recordAsked(trx: Trx, address: string, at: Instant, sent: readonly Sent[]): Promise<void> {
  const asked = sent.flatMap(({ entries }) => entries);
  const deeds = asked.map(({ entryId, schoolId, volunteerId }) => ({
    action: 'entry.ask-outside',
    subject: 'time-entry',
    subjectId: entryId,
    schoolId,
    personId: volunteerId,
    after: { by: address },
  }));
  await recordAll(trx, { userId: null, at, address: null, requestId: null }, deeds);
}

type OfSchool = readonly [Asking, ...Asking[]];

// The rest of very many is asked about in a later letter.
function bySchool(waiting: readonly Asking[]): OfSchool[] {
  const schools = new Map<number, [Asking, ...Asking[]]>();
  for (const one of waiting) {
    const entries = schools.get(one.schoolId);
    if (entries === undefined) schools.set(one.schoolId, [one]);
    else if (entries.length < OUTSIDE.entries) entries.push(one);
  }
  return [...schools.values()];
}

type Sent = Readonly<{ entries: OfSchool; token: string }>;

// It names no volunteer: whoever wrote down the address may not know whose it is.
function compose(deps: Deps, address: string, schools: readonly Sent[], expiresAt: Instant): Letter {
  const parts = LANGUAGES.map((language) => partIn(language, deps, schools, expiresAt));
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

// Each part of the letter names a school in its own language.
function nameIn(language: Language, { school, translations }: Asking): string {
  return textIn(language, 'name', school, SCHOOL_FIELDS.translations.fromColumn(translations));
}

function partIn(language: Language, deps: Deps, schools: readonly Sent[], expiresAt: Instant) {
  const { districtName: district, supportEmail: email, timeZone } = deps.config;
  const catalogue = deps.speech.in(language);
  const t = (message: Message) => translate({ catalogue }, message);
  const marked = (message: Message) => ({ words: t(message), language });
  const names = schools.map(({ entries: [entry] }) => nameIn(language, entry));
  const isOne = schools.length === 1;
  const links = schools.map(({ entries: [entry], token }) =>
    marked(say('outsideOpenAt', { school: nameIn(language, entry), url: linkTo(deps, 'verify', token) })),
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
        marked(say('outsideAsks', { count: entries.length, school: nameIn(language, entries[0]), district })),
      ),
      marked(say('outsideWhatToDo')),
      ...(isOne ? [] : links),
    ],
    footnotes: [
      marked(say('outsideUntil', { date: formatDayLong(dayIn(timeZone, expiresAt), catalogue.language) })),
      marked(say('outsideFooter', { district, email })),
    ],
  };
}
