import type * as z from 'zod/mini';
import { lockUser } from '#features/users/server/accounts.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import type { Deps } from '#server/deps.ts';
import { relyingParty } from '#server/http/relying-party.ts';
import { type Acting, actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { sign } from '#server/secrets.ts';
import { errors, type HttpError } from '#shared/errors.ts';
import { fullName } from '#shared/person-name.ts';
import { providerLinksOf } from '../../oidc/server/store.ts';
import { messages as secondMessages } from '../contract.ts';
import {
  type addPasskey,
  messages,
  PASSKEYS,
  type Passkey,
  type PasskeyAnswer,
} from '../passkey-contract.ts';
import { changing, requireMayAdd } from './changes.ts';
import { generateRecoveryCodes } from './code-verification.ts';
import { queueTwoFactorEmail } from './emails.ts';
import {
  deletePasskey,
  findPasskey,
  insertPasskey,
  type PasskeyRow,
  passkeysOf,
  recordPasskeyUse,
  setPasskeyName,
} from './passkey-store.ts';
import { deleteUnusedRecoveryCodes } from './removal.ts';
import { twoFactorStandingOf } from './requirement.ts';
import { hasTwoFactor } from './store.ts';
import {
  markChallengeAnswered,
  passkeyAuthenticationOptions,
  passkeyRegistrationOptions,
  type Question,
  verifyPasskeyAuthentication,
  verifyPasskeyRegistration,
} from './webauthn.ts';

/** The viewer's passkeys, and where one can be added. */
export async function ownPasskeys(deps: Deps, viewer: Viewer) {
  const rows = await passkeysOf(deps.database.db, viewer.userId);
  return { passkeys: rows.map((row) => shown(deps, row)), offeredAt: relyingParty(deps)?.origin ?? null };
}

/** The WebAuthn request to create a passkey on the viewer's device. */
export async function offer(deps: Deps, { viewer, request }: Acting) {
  const { email, first_name, last_name } = await requireMayAdd(deps, viewer);
  const present = await passkeysOf(deps.database.db, viewer.userId);
  if (present.length >= PASSKEYS.most) throw errors.conflict(messages.tooMany);
  const name = fullName({ firstName: first_name, lastName: last_name });
  const owner = { handle: handleOf(deps, viewer.userId), email, name };
  return {
    options: await passkeyRegistrationOptions(deps, adding(viewer), owner, { present, at: request.at }),
  };
}

/** Adds the passkey that the viewer's device created. The first second factor comes with recovery codes. */
export async function add(
  deps: Deps,
  acting: Acting,
  { name, passkey }: z.output<typeof addPasskey.parts.body>,
) {
  const { viewer, request } = acting;
  const { userId } = viewer;
  const { challenge, until, ...made } = await verifyPasskeyRegistration(
    deps,
    adding(viewer),
    passkey,
    request.at,
  );
  return changing(deps, acting, 'passkey-added', async (trx) => {
    if (!(await markChallengeAnswered(trx, challenge, until))) throw errors.invalid(messages.notAdded);
    if ((await passkeysOf(trx, userId)).length >= PASSKEYS.most) throw errors.conflict(messages.tooMany);
    const isFirst = !(await hasTwoFactor(trx, userId));
    const row = {
      ...made,
      user_id: userId,
      user_handle: handleOf(deps, userId),
      transports: JSON.stringify(passkey.response.transports ?? []),
      name,
      created_at: request.at,
    };
    const id = await insertPasskey(trx, row).catch((error: unknown) => {
      throw databaseFailure(error) === 'unique' ? errors.conflict(messages.addedBefore) : error;
    });
    return {
      passkey: shown(deps, { ...row, id, last_used_at: null }),
      recoveryCodes: isFirst ? await generateRecoveryCodes(trx, deps, userId, request.at) : null,
      message: translate(deps, messages.added(name)),
    };
  });
}

/** Renames one of the viewer's passkeys. */
export async function rename(deps: Deps, viewer: Viewer, id: number, name: string) {
  return transaction(deps.database, async (trx) => {
    const row = await setPasskeyName(trx, viewer.userId, id, name);
    if (row === undefined) throw errors.notFound(messages.gone);
    return { passkey: shown(deps, row), message: translate(deps, messages.renamed) };
  });
}

/**
 * Removes one of the viewer's passkeys. Throws if it is the last way to sign in, or the last second factor while the district
 * requires one.
 */
export async function remove(deps: Deps, acting: Acting, id: number) {
  const { viewer } = acting;
  await ownOne(deps.database.db, viewer, id);
  const { neededFrom } = await twoFactorStandingOf(deps.database.db, viewer);
  return changing(deps, acting, 'passkey-removed', async (trx, user) => {
    const hasOther = user.password_hash !== null || (await hasProviderHere(trx, deps, viewer.userId));
    const row = await ownOne(trx, viewer, id);
    await deletePasskey(trx, id);
    if (!hasOther && !(await hasPasskeyHere(trx, deps, viewer.userId)))
      throw errors.conflict(messages.lastWayIn);
    if (neededFrom !== null && !(await hasTwoFactor(trx, viewer.userId))) {
      throw errors.conflict(secondMessages.demanded);
    }
    await deleteUnusedRecoveryCodes(trx, viewer.userId);
    return { message: translate(deps, messages.removed(row.name)) };
  });
}

/** Whether a user has a passkey that works on this host. */
export async function hasPasskeyHere(db: Db, deps: Deps, userId: number): Promise<boolean> {
  return (await passkeysOf(db, userId)).some((row) => worksAt(deps, row) === null);
}

/** The WebAuthn request for a user with passkeys; undefined if none of them works on this host. */
export async function passkeyOptionsFor(
  db: Db,
  deps: Deps,
  question: Question,
  { userId, request }: { userId: number; request: Request },
): Promise<Record<string, unknown> | undefined> {
  const among = (await passkeysOf(db, userId)).filter((row) => worksAt(deps, row) === null);
  if (among.length === 0) return undefined;
  return passkeyAuthenticationOptions(deps, question, { among, at: request.at });
}

/** The WebAuthn request for signing in. */
export function discoverablePasskeyOptions(deps: Deps, request: Request): Promise<Record<string, unknown>> {
  return passkeyAuthenticationOptions(deps, { for: 'sign-in' }, { at: request.at });
}

/**
 * Verifies a device's response, then runs `act` in the transaction that records its use; each response works once. If the
 * device has a counter and it did not increase since the last use, the passkey was cloned: the response is rejected, and the
 * account's owner gets an email.
 */
export async function verifyPasskey<Result>(
  deps: Deps,
  request: Request,
  { question, answer }: { question: Question; answer: PasskeyAnswer },
  act: (trx: Trx, userId: number) => Promise<Result>,
): Promise<Result> {
  const { passkey, counter, challenge, until } = await verifyPasskeyAuthentication(
    deps,
    question,
    answer,
    request.at,
  );
  const userId = passkey.user_id;
  const outcome = await transaction(deps.database, async (trx): Promise<{ result: Result } | HttpError> => {
    if (!(await markChallengeAnswered(trx, challenge, until))) throw errors.unauthenticated(messages.over);
    if (!(await recordPasskeyUse(trx, passkey.id, { counter, at: request.at }))) {
      // The passkey may also have been removed a moment ago.
      if ((await findPasskey(trx, passkey.credential_id)) === undefined)
        throw errors.unauthenticated(messages.refused);
      const user = await lockUser(trx, userId);
      if (user !== undefined) {
        await queueTwoFactorEmail(trx, deps, user, { change: 'passkey-cloned', at: request.at });
      }
      const deed = { action: 'passkey.cloned', subject: 'user', subjectId: userId };
      await recordEvent(trx, actorOf(undefined, request), deed);
      return errors.unauthenticated(messages.cloned);
    }
    return { result: await act(trx, userId) };
  });
  if (outcome instanceof Error) throw outcome;
  return outcome.result;
}

// Whether the user can sign in with a provider that is configured here.
async function hasProviderHere(trx: Trx, { config }: Deps, userId: number): Promise<boolean> {
  const links = await providerLinksOf(trx, userId);
  return links.some((link) => config.providers.some(({ name }) => name === link.provider));
}

async function ownOne(db: Db, viewer: Viewer, id: number): Promise<PasskeyRow> {
  const row = (await passkeysOf(db, viewer.userId)).find((one) => one.id === id);
  if (row === undefined) throw errors.notFound(messages.gone);
  return row;
}

function adding({ sessionId }: Viewer): Question {
  return { for: 'add', sessionId };
}

// A user handle that reveals nothing about the person.
function handleOf(deps: Deps, userId: number): string {
  return sign(deps.secretKey, 'passkey-owner', String(userId));
}

function worksAt(deps: Deps, { rp_id }: Pick<PasskeyRow, 'rp_id'>): string | null {
  return relyingParty(deps)?.id === rp_id ? null : rp_id;
}

function shown(deps: Deps, row: PasskeyRow): Passkey {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    worksAt: worksAt(deps, row),
  };
}
