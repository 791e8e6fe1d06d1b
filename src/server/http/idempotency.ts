import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { type Trx, transaction } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { Person } from '../personal-data/data-export.ts';
import { seal, sign, unseal } from '../secrets.ts';
import type { Request } from './viewer.ts';

/** How long a repeated request gets the first reply. A permanent key is stored as long as its account. */
const REPLY_RETENTION_MS = 24 * 3_600_000;

const PURPOSE = 'idempotency';

/** A repeatable create request: its owner, its key if any, and its content. */
export type IdempotentRequest = Readonly<{
  owner: string;
  key: string | undefined;
  content: () => string;
  request: Request;
  /** Throws unless the user has recently authenticated. */
  requireProof: () => void;
}>;

/**
 * Returns the id of the created record, for calls with a permanent key, because an offline phone may repeat them weeks later.
 * Once the reply is deleted, and for a repeat with other content, the conflict names that id.
 */
export type SaveCreatedId<Reply> = (reply: Reply) => number | undefined;

/** Runs a create action in a transaction, once per Idempotency-Key; with `madeId` the key is permanent. */
export type RunIdempotent = <Reply>(
  run: (trx: Trx) => Promise<Reply>,
  madeId?: SaveCreatedId<Reply>,
) => Promise<Reply>;

/**
 * Creates the `once` function of a call. A repeat gets the first reply and changes nothing; the same key with other content is
 * a conflict. The key is stored in the transaction of the created row, so neither exists without the other. Replies may contain
 * a session token, so they are stored encrypted.
 */
export function createRunIdempotent(
  deps: Deps,
  { owner, key, content, request, requireProof }: IdempotentRequest,
): RunIdempotent {
  return async <Reply>(run: (trx: Trx) => Promise<Reply>, madeId?: SaveCreatedId<Reply>) => {
    if (key === undefined) return transaction(deps.database, run);
    const fingerprint = sign(deps.secretKey, PURPOSE, content());
    return transaction(deps.database, async (trx) => {
      // Inserting first makes a concurrent repeat wait here until the first request is done.
      const inserted = await trx
        .insertInto('idempotency_keys')
        .values({ owner, key, fingerprint, created_at: request.at })
        .onConflict((conflict) => conflict.columns(['owner', 'key']).doNothing())
        .executeTakeFirst();
      if (inserted.numInsertedOrUpdatedRows === 0n) {
        const first = await firstReply<Reply>(deps, trx, owner, key, fingerprint);
        if (opensAccounts(first)) requireProof();
        return first;
      }
      const reply = await run(trx);
      await trx
        .updateTable('idempotency_keys')
        .set({
          reply: seal(deps.secretKey, PURPOSE, JSON.stringify(reply)),
          made_id: madeId?.(reply) ?? null,
        })
        .where('owner', '=', owner)
        .where('key', '=', key)
        .execute();
      return reply;
    });
  };
}

/**
 * Deletes the replies stored for a user, and other users' replies that contain the user or one of their
 * addresses.
 */
export async function deleteRepliesOf(trx: Trx, deps: Deps, person: Person): Promise<void> {
  await trx.deleteFrom('idempotency_keys').where('owner', '=', `user:${person.id}`).execute();
  const rows = await trx
    .selectFrom('idempotency_keys')
    .select(['owner', 'key', 'reply'])
    .where('reply', 'is not', null)
    .execute();
  for (const { owner, key, reply } of rows) {
    if (!isAbout(person, openedReply(deps, reply))) continue;
    await trx.deleteFrom('idempotency_keys').where('owner', '=', owner).where('key', '=', key).execute();
  }
}

/** Deletes expired keys with their replies. A permanent key loses only its reply. */
export async function deleteExpiredReplies(trx: Trx, now: Instant): Promise<void> {
  const cutoff = plusMilliseconds(now, -REPLY_RETENTION_MS);
  await trx
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', cutoff)
    .where('made_id', 'is', null)
    .execute();
  await trx
    .updateTable('idempotency_keys')
    .set({ reply: null })
    .where('created_at', '<', cutoff)
    .where('made_id', 'is not', null)
    .where('reply', 'is not', null)
    .execute();
}

async function firstReply<Reply>(
  deps: Deps,
  trx: Trx,
  owner: string,
  key: string,
  fingerprint: string,
): Promise<Reply> {
  const first = await trx
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'reply', 'made_id'])
    .where('owner', '=', owner)
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  if (first.fingerprint !== fingerprint || first.reply === null) {
    throw errors.repeated(commonMessages.keyReused, first.made_id ?? undefined);
  }
  return JSON.parse(unseal(deps.secretKey, PURPOSE, first.reply));
}

// Links that grant access to accounts are shown only after re-authentication, also in a repeated reply.
function opensAccounts(reply: unknown): boolean {
  if (typeof reply !== 'object' || reply === null) return false;
  return Object.entries(reply).some(([name, value]) => /^links?$/.test(name) && value !== null);
}

// Undefined for a reply encrypted with another key. No one can read it, and it stays until it expires.
function openedReply(deps: Deps, reply: string | null): unknown {
  try {
    return JSON.parse(unseal(deps.secretKey, PURPOSE, reply ?? ''));
  } catch {
    return undefined;
  }
}

function isAbout(person: Person, reply: unknown): boolean {
  if (typeof reply === 'string') {
    const text = reply.toLowerCase();
    return person.addresses.some((address) => text.includes(address));
  }
  if (typeof reply !== 'object' || reply === null) return false;
  if ('firstName' in reply && 'id' in reply && reply.id === person.id) return true;
  return Object.values(reply).some((value) => isAbout(person, value));
}
