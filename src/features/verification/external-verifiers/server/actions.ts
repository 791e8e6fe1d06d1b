import { applyExternalDecisions, type Chosen } from '#features/time-entries/server/external-verifiers.ts';
import { ownAddresses } from '#features/users/server/own-emails.ts';
import { record } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { stoppedAmong, unsubscribeAddress } from '#server/email/unsubscribed-address-store.ts';
import { actorOf, type Request } from '#server/http/viewer.ts';
import { inDistrictLanguage } from '#server/i18n/recipient-language.ts';
import { translate } from '#server/i18n/translator.ts';
import { hashToken } from '#server/secrets.ts';
import { isSameMailbox } from '#shared/email-address.ts';
import { refuse } from '#shared/errors.ts';
import { fullName } from '#shared/person-name.ts';
import { type ExternalAnswer, type ExternalEntry, messages, TOKEN_MARK } from '../contract.ts';
import { OWN_REQUESTS, type OwnVerifierRequest, type VerifierRequest } from '../request-contract.ts';
import {
  askedIn,
  countAnswers,
  expireVerifierEmail,
  expireVerifierEmailsTo,
  findLetter,
  findOwnPendingVerifications,
  findPendingEntries,
  findVerifierEmailsAbout,
  holdLetter,
  type OpenVerifierEmail,
  type VerifierEmailEntry,
} from './store.ts';

/** What a link asks about: the school and the hours that wait for this supervisor. */
export type Question = Readonly<{ school: { id: number; name: string }; entries: ExternalEntry[] }>;

/** What an answer did: entries confirmed, declined and left as they were, and those that still wait. */
export type Outcome = Readonly<{
  verified: number;
  declined: number;
  skipped: number;
  rest: number;
  isStopped: boolean;
}>;

/** Reads a link. 404 when it is unknown, too old, answered, or when nothing of it waits any more. */
export async function readExternalRequest(deps: Deps, request: Request, token: string): Promise<Question> {
  const { db } = deps.database;
  const letter = await findLetter(db, hashOf(token), request.at);
  if (letter === undefined || letter.endedAt !== null) throw refuse.notFound(messages.linkGone);
  const entries = await waitingOf(db, letter);
  if (entries.length === 0) throw refuse.notFound(messages.linkGone);
  return { school: { id: letter.schoolId, name: letter.school }, entries: entries.map(asEntry) };
}

/** Throws 404 for a link that is unknown or too old. */
export async function requireLink(deps: Deps, request: Request, token: string): Promise<void> {
  const letter = await findLetter(deps.database.db, hashOf(token), request.at);
  if (letter === undefined) throw refuse.notFound(messages.linkGone);
}

/** What a link's receiver answered so far; undefined when the link is unknown or too old. */
export async function readAnswers(
  deps: Deps,
  request: Request,
  token: string,
): Promise<{ verified: number; declined: number } | undefined> {
  const { db } = deps.database;
  const letter = await findLetter(db, hashOf(token), request.at);
  return letter === undefined ? undefined : countAnswers(db, letter.id);
}

/** Answers a link, whole or not at all; the letter is held, so that two answers at once are given in turn. */
export function answer(deps: Deps, request: Request, token: string, given: ExternalAnswer): Promise<Outcome> {
  return transaction(deps.database, async (trx) => {
    const letter = await holdLetter(trx, hashOf(token), request.at);
    if (letter === undefined || letter.endedAt !== null) throw refuse.notFound(messages.linkGone);
    const waiting = await waitingOf(trx, letter);
    if ('stop' in given) return stop(trx, request, letter);
    if (waiting.length === 0) throw refuse.notFound(messages.linkGone);
    if ('unknownPerson' in given) {
      // Kept with the hours, where others read it.
      const reason = translate(inDistrictLanguage(deps), messages.unknownReason);
      const all = waiting.map((entry) => chosen(entry, 0, reason));
      const outcome = await decideAll(trx, request, letter, all);
      await expireVerifierEmail(trx, letter.id, request.at);
      return { ...outcome, rest: 0 };
    }
    const byId = new Map(waiting.map((entry) => [entry.id, entry]));
    const asked = new Set(await askedIn(trx, letter.id));
    if (given.decisions.some(({ entryId }) => !asked.has(entryId))) throw refuse.notFound(messages.linkGone);
    const answers = new Map(given.decisions.map((one) => [one.entryId, one]));
    const decisions = [...answers.values()].flatMap((one): Chosen[] => {
      const entry = byId.get(one.entryId);
      if (entry === undefined) return [];
      return one.decision === 'verify'
        ? [chosen(entry, one.hours ?? entry.hours, null)]
        : [chosen(entry, 0, one.reason)];
    });
    const outcome = await decideAll(trx, request, letter, decisions);
    const rest = waiting.length - outcome.verified - outcome.declined;
    if (rest === 0) await expireVerifierEmail(trx, letter.id, request.at);
    return { ...outcome, skipped: answers.size - outcome.verified - outcome.declined, rest };
  });
}

async function decideAll(
  trx: Trx,
  request: Request,
  letter: OpenVerifierEmail,
  decisions: readonly Chosen[],
): Promise<Outcome> {
  const done = await applyExternalDecisions(trx, request, letter.address, decisions);
  const declined = done.filter(({ reason }) => reason !== null).length;
  const skipped = decisions.length - done.length;
  return { verified: done.length - declined, declined, skipped, rest: 0, isStopped: false };
}

function chosen(entry: VerifierEmailEntry, counted: number, reason: string | null): Chosen {
  const { id: entryId, version, schoolId, userId } = entry;
  return { entryId, version, schoolId, userId, counted, reason };
}

async function stop(trx: Trx, request: Request, letter: OpenVerifierEmail): Promise<Outcome> {
  await unsubscribeAddress(trx, letter.address, request.at);
  await expireVerifierEmailsTo(trx, letter.addressKey, request.at);
  await record(trx, actorOf(undefined, request), {
    action: 'outside.stop',
    subject: 'school',
    subjectId: letter.schoolId,
    schoolId: letter.schoolId,
  });
  return { verified: 0, declined: 0, skipped: 0, rest: 0, isStopped: true };
}

// An address that is or was the volunteer's own, or that the activity no longer names, decides nothing.
async function waitingOf(db: Db, letter: OpenVerifierEmail) {
  const rows = await findPendingEntries(db, letter.id);
  const people = rows.map(({ userId }) => userId);
  const isOwn = await ownAddresses(db, people);
  return rows.filter(
    ({ address, userId }) => isSameMailbox(address, letter.address) && !isOwn(userId, letter.address),
  );
}

function asEntry(entry: VerifierEmailEntry): ExternalEntry {
  const { id, activity, date, hours, notes } = entry;
  return { id, person: fullName(entry), activity, date, hours, notes };
}

function hashOf(token: string): string {
  return hashToken(token.startsWith(TOKEN_MARK) ? token : '');
}

/** What became of asking somebody outside about entries, by id; those of whom nobody was asked are left out. */
export async function askedOutside(
  db: Db,
  entryIds: readonly number[],
): Promise<ReadonlyMap<number, VerifierRequest>> {
  const rows = await findVerifierEmailsAbout(db, entryIds);
  const stopped = await stoppedAmong(
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

/** Who was asked, or will be, about somebody's own waiting entries, the newest first. */
export async function ownAsked(db: Db, userId: number): Promise<{ asked: OwnVerifierRequest[] }> {
  const asking = await findOwnPendingVerifications(db, userId, OWN_REQUESTS.entries);
  const found = await askedOutside(
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
