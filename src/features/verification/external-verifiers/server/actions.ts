import {
  applyExternalDecisions,
  type ChosenExternalDecision,
} from '#features/time-entries/server/external-verifiers.ts';
import { ownAddresses } from '#features/users/server/own-emails.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { unsubscribeAddress, unsubscribedAmong } from '#server/email/unsubscribed-address-store.ts';
import { actorOf, type Request } from '#server/http/viewer.ts';
import { inDistrictLanguage } from '#server/i18n/recipient-language.ts';
import { translate } from '#server/i18n/translator.ts';
import { hashToken } from '#server/secrets.ts';
import { isSameMailbox } from '#shared/email-address.ts';
import { errors } from '#shared/errors.ts';
import { fullName } from '#shared/person-name.ts';
import { type ExternalAnswer, type ExternalEntry, messages, TOKEN_PREFIX } from '../contract.ts';
import { OWN_REQUESTS, type OwnVerifierRequest, type VerifierRequest } from '../request-contract.ts';
import {
  countAnswers,
  expireVerifierEmail,
  expireVerifierEmailsTo,
  findOwnPendingVerifications,
  findPendingEntries,
  findVerifierEmail,
  findVerifierEmailsAbout,
  listRequestedEntryIds,
  lockVerifierEmail,
  type OpenVerifierEmail,
  type VerifierEmailEntry,
} from './store.ts';

/** The content of a link: the school and the hours that wait for this verifier. */
export type ExternalRequest = Readonly<{ school: { id: number; name: string }; entries: ExternalEntry[] }>;

/** The result of an answer: the numbers of entries confirmed, declined and skipped, and the number that still wait. */
export type AnswerOutcome = Readonly<{
  verified: number;
  declined: number;
  skipped: number;
  rest: number;
  isStopped: boolean;
}>;

/** Reads a link. Throws 404 when it is unknown, expired or answered, or when none of its entries still waits. */
export async function readExternalRequest(
  deps: Deps,
  request: Request,
  token: string,
): Promise<ExternalRequest> {
  const { db } = deps.database;
  const email = await findVerifierEmail(db, hashLinkToken(token), request.at);
  if (email === undefined || email.endedAt !== null) throw errors.notFound(messages.linkGone);
  const entries = await findWaitingEntries(db, email);
  if (entries.length === 0) throw errors.notFound(messages.linkGone);
  return { school: { id: email.schoolId, name: email.school }, entries: entries.map(toExternalEntry) };
}

/** Throws 404 for a link that is unknown or expired. */
export async function requireLink(deps: Deps, request: Request, token: string): Promise<void> {
  const email = await findVerifierEmail(deps.database.db, hashLinkToken(token), request.at);
  if (email === undefined) throw errors.notFound(messages.linkGone);
}

/** How many of a link's entries the recipient has verified and declined; undefined if the link is unknown or expired. */
export async function readAnswers(
  deps: Deps,
  request: Request,
  token: string,
): Promise<{ verified: number; declined: number } | undefined> {
  const { db } = deps.database;
  const email = await findVerifierEmail(db, hashLinkToken(token), request.at);
  return email === undefined ? undefined : countAnswers(db, email.id);
}

/**
 * Applies an answer completely or not at all. The email's row is locked, so that concurrent answers run one after the
 * other.
 */
export function answerRequest(
  deps: Deps,
  request: Request,
  token: string,
  given: ExternalAnswer,
): Promise<AnswerOutcome> {
  return transaction(deps.database, async (trx) => {
    const email = await lockVerifierEmail(trx, hashLinkToken(token), request.at);
    if (email === undefined || email.endedAt !== null) throw errors.notFound(messages.linkGone);
    const waiting = await findWaitingEntries(trx, email);
    if ('stop' in given) return stopEmails(trx, request, email);
    if (waiting.length === 0) throw errors.notFound(messages.linkGone);
    if ('unknownPerson' in given) {
      // The reason is stored with the hours and read by other people, so it is in the district's language.
      const reason = translate(inDistrictLanguage(deps), messages.unknownReason);
      const all = waiting.map((entry) => toDecision(entry, 0, reason));
      const outcome = await applyDecisions(trx, request, email, all);
      await expireVerifierEmail(trx, email.id, request.at);
      return { ...outcome, rest: 0 };
    }
    const byId = new Map(waiting.map((entry) => [entry.id, entry]));
    const asked = new Set(await listRequestedEntryIds(trx, email.id));
    if (given.decisions.some(({ entryId }) => !asked.has(entryId))) throw errors.notFound(messages.linkGone);
    const answers = new Map(given.decisions.map((one) => [one.entryId, one]));
    const decisions = [...answers.values()].flatMap((one): ChosenExternalDecision[] => {
      const entry = byId.get(one.entryId);
      if (entry === undefined) return [];
      return one.decision === 'verify'
        ? [toDecision(entry, one.hours ?? entry.hours, null)]
        : [toDecision(entry, 0, one.reason)];
    });
    const outcome = await applyDecisions(trx, request, email, decisions);
    const rest = waiting.length - outcome.verified - outcome.declined;
    if (rest === 0) await expireVerifierEmail(trx, email.id, request.at);
    return { ...outcome, skipped: answers.size - outcome.verified - outcome.declined, rest };
  });
}

async function applyDecisions(
  trx: Trx,
  request: Request,
  email: OpenVerifierEmail,
  decisions: readonly ChosenExternalDecision[],
): Promise<AnswerOutcome> {
  const done = await applyExternalDecisions(trx, request, email.address, decisions);
  const declined = done.filter(({ reason }) => reason !== null).length;
  const skipped = decisions.length - done.length;
  return { verified: done.length - declined, declined, skipped, rest: 0, isStopped: false };
}

function toDecision(
  entry: VerifierEmailEntry,
  counted: number,
  reason: string | null,
): ChosenExternalDecision {
  const { id: entryId, version, schoolId, userId } = entry;
  return { entryId, version, schoolId, userId, counted, reason };
}

async function stopEmails(trx: Trx, request: Request, email: OpenVerifierEmail): Promise<AnswerOutcome> {
  await unsubscribeAddress(trx, email.address, request.at);
  await expireVerifierEmailsTo(trx, email.addressKey, request.at);
  await recordEvent(trx, actorOf(undefined, request), {
    action: 'outside.stop',
    subject: 'school',
    subjectId: email.schoolId,
    schoolId: email.schoolId,
  });
  return { verified: 0, declined: 0, skipped: 0, rest: 0, isStopped: true };
}

// An address that is or was the volunteer's own, or that the activity no longer names, must not decide.
async function findWaitingEntries(db: Db, email: OpenVerifierEmail) {
  const rows = await findPendingEntries(db, email.id);
  const people = rows.map(({ userId }) => userId);
  const isOwn = await ownAddresses(db, people);
  return rows.filter(
    ({ address, userId }) => isSameMailbox(address, email.address) && !isOwn(userId, email.address),
  );
}

function toExternalEntry(entry: VerifierEmailEntry): ExternalEntry {
  const { id, activity, date, hours, notes } = entry;
  return { id, person: fullName(entry), activity, date, hours, notes };
}

function hashLinkToken(token: string): string {
  return hashToken(token.startsWith(TOKEN_PREFIX) ? token : '');
}

/**
 * The requests to external verifiers about entries, by entry id. Entries without a request are left out, unless their verifier
 * unsubscribed.
 */
export async function findVerifierRequests(
  db: Db,
  entryIds: readonly number[],
): Promise<ReadonlyMap<number, VerifierRequest>> {
  const rows = await findVerifierEmailsAbout(db, entryIds);
  const stopped = await unsubscribedAmong(
    db,
    rows.map(({ address }) => address),
  );
  const found = new Map<number, VerifierRequest>();
  for (const { entryId, address: to, madeAt: at, hasFailed } of rows) {
    if (stopped.has(to)) found.set(entryId, { to, at, state: 'stopped' });
    else if (at !== null) found.set(entryId, { to, at, state: hasFailed ? 'failed' : 'sent' });
  }
  return found;
}

/** The sent and scheduled requests about a volunteer's own waiting entries, the newest first. */
export async function listOwnRequests(db: Db, userId: number): Promise<{ asked: OwnVerifierRequest[] }> {
  const asking = await findOwnPendingVerifications(db, userId, OWN_REQUESTS.entries);
  const found = await findVerifierRequests(
    db,
    asking.map(({ entryId }) => entryId),
  );
  const asked = asking.map(({ entryId, address: to, fixed }) => ({
    ...(found.get(entryId) ?? { to, at: null, state: 'later' as const }),
    entryId,
    isNamedHere: fixed === null,
  }));
  return { asked };
}
