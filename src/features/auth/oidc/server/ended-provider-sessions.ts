import type { Trx } from '#server/db/database.ts';
import type { Request } from '#server/http/viewer.ts';
import { hashToken } from '#server/secrets.ts';
import { type Instant, instantOf, plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import type { Source } from '../../sessions/server/store.ts';
import { messages } from '../contract.ts';
import { findMarkExpiry, hasEnded, insertEndedSession } from './store.ts';

/** A sign-out at a provider: of one session, of all sessions of a person, or of both. */
type SignedOut = Readonly<{ issuer: string; subject: string | undefined; session: string | undefined }>;

// How long an ended session is remembered: longer than a pending sign-in can wait for a password and a code.
const STORED_MS = 3_600_000;

/**
 * Records that one or all sessions of a person ended at the provider, because a sign-in that came from such a session may still
 * be pending here: until the page fetches it, or the user enters a password or a code.
 */
export async function saveEndedProviderSession(trx: Trx, { at }: Request, said: SignedOut): Promise<void> {
  const mark = said.session === undefined ? personMark(said) : sessionMark(said);
  if (mark !== undefined) await insertEndedSession(trx, mark, plusMilliseconds(at, STORED_MS));
}

/** Throws 400 if the provider session of a sign-in, or every session of that person, has ended meanwhile. */
export async function rejectEndedProviderSession(trx: Trx, { at }: Request, source: Source): Promise<void> {
  const session = sessionMark({ issuer: source.issuer, session: source.providerSession });
  const isOver =
    (session !== undefined && (await hasEnded(trx, session, at))) || (await hasEndedAll(trx, at, source));
  if (isOver) throw errors.invalid(messages.startAgain);
}

// Whether all sessions of the person ended after this sign-in returned. They may have signed in at the provider again since.
async function hasEndedAll(trx: Trx, at: Instant, source: Source): Promise<boolean> {
  const person = personMark(source);
  if (person === undefined) return false;
  const until = await findMarkExpiry(trx, person, at);
  // A sign-in that was pending during an update has no callback time.
  return until > at && until >= plusMilliseconds(source.cameAt ?? instantOf(0), STORED_MS);
}

function sessionMark({ issuer, session }: Omit<SignedOut, 'subject'>): string | undefined {
  return session === undefined ? undefined : hashToken(`ended ${issuer} ${session}`);
}

function personMark({ issuer, subject }: Omit<SignedOut, 'session'>): string | undefined {
  return subject === undefined ? undefined : hashToken(`ended-person ${issuer} ${subject}`);
}
