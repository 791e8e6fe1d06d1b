import * as z from 'zod/mini';
import { findSetting } from '#features/schools/district-settings/server/settings.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, transaction } from '#server/db/database.ts';
import { toPersonRef } from '#server/db/queries/person-ref.ts';
import type { Deps } from '#server/deps.ts';
import { homePage } from '#server/email/email.ts';
import { type Acting, actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { hashToken, newToken, seal, unseal } from '#server/secrets.ts';
import { type Instant, millisecondsOf, plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { type DriveStatus, messages } from '../contract.ts';
import {
  claimAttempt,
  deleteConnection,
  findConnection,
  findLatestProblem,
  insertAttempt,
  isAdministratorSession,
  markConnectionLost,
  saveAccessToken,
  saveAttemptProblem,
  saveConnection,
} from './connection-store.ts';
import { findAccountName } from './drive-client.ts';
import { findRootFolder } from './file-store.ts';
import { newFolderName } from './folders.ts';
import { DriveFailure, type FailureKind, toDriveFailure } from './google-errors.ts';
import type { AccessTokenSource } from './google-requests.ts';
import {
  createConsentUrl,
  exchangeCode,
  type GoogleClient,
  type GrantedTokens,
  refreshAccess,
  revokeToken,
} from './oauth.ts';
import { cancelAllSyncs } from './sync-store.ts';

/** The purpose under which tokens are sealed. */
export const TOKEN_PURPOSE = 'drive-tokens';

const VERIFIER_PURPOSE = 'drive-verifier';
const ATTEMPT_MS = 600_000;

/** The parameters of Google's redirect: a code or an error. */
export type OAuthRedirect = Readonly<{ state: string; code: string | undefined; error: string | undefined }>;

/**
 * The outcome of an attempt; `problem` is the reason for a failure. `invalid` means that the redirect belongs to no open
 * attempt.
 */
export type ConnectOutcome = Readonly<{
  outcome: 'connected' | 'failed' | 'invalid';
  problem: Message | null;
}>;

/** The key under which the district's Photo Sync settings are stored. */
export const DRIVE_SETTINGS_KEY = 'drive';

const DriveSettings = z.object({ nightly: z.boolean() });

/** The district's Photo Sync settings; by default there is no nightly sync. */
export async function readDriveSettings(db: Db): Promise<z.infer<typeof DriveSettings>> {
  const stored = z.partial(DriveSettings).parse((await findSetting(db, DRIVE_SETTINGS_KEY)) ?? {});
  return { nightly: stored.nightly ?? false };
}

/** Returns whether photos can be copied to Drive, and to whose account. Makes no request to Google. */
export async function readDriveStatus(deps: Deps, viewer: Viewer): Promise<DriveStatus> {
  const { db } = deps.database;
  const connection = await findConnection(db);
  const isConfigured = deps.config.google !== undefined;
  const connected = isConfigured && connection !== undefined && connection.lostAt === null;
  const problem = connected
    ? null
    : await findLatestProblem(db, viewer.userId, plusMilliseconds(deps.clock.now(), -ATTEMPT_MS));
  const root = await findRootFolder(db);
  return {
    configured: isConfigured,
    connected,
    lost: connection !== undefined && connection.lostAt !== null,
    account: connection?.account ?? null,
    connectedAt: connection?.connectedAt ?? null,
    connectedBy:
      connection === undefined
        ? null
        : toPersonRef(connection.userId, connection.firstName, connection.lastName),
    redirectUrl: redirectUrl(deps),
    problem: problem === null ? null : translate(deps, problem),
    folder: root?.isReady === true ? { name: root.name, url: root.url } : null,
    newFolder: newFolderName(deps),
    nightly: (await readDriveSettings(db)).nightly,
  };
}

/**
 * Returns Google's consent address. It works once, for ten minutes, for this session and in the browser with this key. It does
 * nothing in another browser, so an attacker cannot get another person's Drive connected by sending them the address.
 */
export async function createAuthUrl(
  deps: Deps,
  { viewer, request }: Acting,
  browserKey: string,
): Promise<{ authUrl: string }> {
  const client = requireGoogleClient(deps);
  const [state, verifier] = [newToken(), newToken()];
  const url = await createConsentUrl(client, state, verifier);
  const attempt = {
    stateHash: hashToken(state),
    userId: viewer.userId,
    sessionId: viewer.sessionId,
    sealedVerifier: seal(deps.secretKey, VERIFIER_PURPOSE, `${verifier} ${hashToken(browserKey)}`),
    at: request.at,
    expiresAt: plusMilliseconds(request.at, ATTEMPT_MS),
  };
  await transaction(deps.database, (trx) => insertAttempt(trx, attempt));
  return { authUrl: url };
}

/**
 * Finishes an attempt when Google sends the person back. A state that is forged, used, too old, from an ended session or
 * from another browser is `invalid`.
 */
export async function finishConnecting(
  deps: Deps,
  request: Request,
  redirect: OAuthRedirect,
): Promise<ConnectOutcome> {
  const { db } = deps.database;
  const client = findGoogleClient(deps);
  const stateHash = hashToken(redirect.state);
  const attempt = client === undefined ? undefined : await claimAttempt(db, stateHash, request.at);
  if (client === undefined || attempt === undefined || !(await isAdministratorSession(db, attempt))) {
    return { outcome: 'invalid', problem: messages.requestInvalid };
  }
  const [verifier = '', browser] = unseal(deps.secretKey, VERIFIER_PURPOSE, attempt.sealedVerifier).split(
    ' ',
  );
  const isSameBrowser = request.browserKey !== undefined && browser === hashToken(request.browserKey);
  if (!isSameBrowser) return { outcome: 'invalid', problem: messages.requestInvalid };
  const problem = await connect(deps, client, { ...request, ...attempt, verifier }, redirect);
  if (problem === null) return { outcome: 'connected', problem };
  await saveAttemptProblem(db, stateHash, problem);
  return { outcome: problem === messages.requestInvalid ? 'invalid' : 'failed', problem };
}

/** Deletes the connection, stops running syncs, and revokes the tokens at Google. */
export async function disconnectDrive(deps: Deps, { viewer, request }: Acting) {
  const connection = await findConnection(deps.database.db);
  await transaction(deps.database, async (trx) => {
    if (!(await deleteConnection(trx))) throw errors.conflict(messages.notConnected);
    await cancelAllSyncs(trx, request.at);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'drive.disconnect',
      subject: 'drive',
      subjectId: null,
    });
  });
  const isRevoked = await revokeAtGoogle(deps, connection?.refreshToken ?? null);
  return {
    status: await readDriveStatus(deps, viewer),
    message: translate(deps, isRevoked ? messages.disconnected : messages.disconnectedHere),
  };
}

/** Returns this installation's client at Google. Throws 409 if none is configured. */
export function requireGoogleClient(deps: Deps): GoogleClient {
  const client = findGoogleClient(deps);
  if (client === undefined) throw errors.conflict(messages.notConfigured);
  return client;
}

/** Returns this installation's client at Google, or undefined if none is configured. */
export function findGoogleClient({ config, clock }: Deps): GoogleClient | undefined {
  return config.google === undefined
    ? undefined
    : { google: config.google, redirectUrl: redirectUrl({ config }), clock };
}

/** Returns the message for a failed request to Google. */
export function driveErrorMessage(failure: DriveFailure): Message {
  return DRIVE_ERROR_MESSAGES[failure.kind];
}

const DRIVE_ERROR_MESSAGES: Readonly<Record<FailureKind, Message>> = {
  rate: messages.tooManyRequests,
  unreachable: messages.cannotReach,
  lost: messages.notConnected,
  client: messages.clientRefused,
  unauthorized: messages.notConnected,
  full: messages.driveFull,
  apiOff: messages.apiOff,
  refused: messages.refusedByGoogle,
  gone: messages.syncFailed,
  taken: messages.syncFailed,
  unexpected: messages.syncFailed,
};

type ConnectRequest = Request & Readonly<{ userId: number; sessionId: number; verifier: string }>;

// Returns the problem, or null if the connection was made.
async function connect(
  deps: Deps,
  client: GoogleClient,
  request: ConnectRequest,
  { code, error }: OAuthRedirect,
): Promise<Message | null> {
  if (error === 'access_denied') return messages.declined;
  if (code === undefined) return messages.requestInvalid;
  try {
    const granted = await exchangeCode(client, code, request.verifier);
    if (!granted.hasScope || granted.refreshToken === undefined) return messages.accessNotGiven;
    const account = await findAccountName(client.google, granted.access.token);
    return await storeConnection(deps, request, { ...granted, refreshToken: granted.refreshToken, account });
  } catch (error) {
    const failure = toDriveFailure(error);
    deps.log.warn({ kind: failure.kind, failure: failure.message }, 'Google Drive was not connected');
    // Google rejects a code that was swapped or already used.
    return failure.kind === 'lost' ? messages.requestInvalid : driveErrorMessage(failure);
  }
}

function storeConnection(
  deps: Deps,
  request: ConnectRequest,
  granted: GrantedTokens & { refreshToken: string; account: string | null },
): Promise<Message | null> {
  const sealed = (token: string) => seal(deps.secretKey, TOKEN_PURPOSE, token);
  return transaction(deps.database, async (trx) => {
    if (!(await isAdministratorSession(trx, request))) return messages.requestInvalid;
    await saveConnection(trx, {
      refreshToken: sealed(granted.refreshToken),
      accessToken: sealed(granted.access.token),
      accessExpiresAt: granted.access.expiresAt,
      account: granted.account,
      userId: request.userId,
      at: request.at,
    });
    await recordEvent(
      trx,
      { userId: request.userId, at: request.at, address: request.address, requestId: request.requestId },
      // The audit log does not store the account's address, which may name a person. The status shows it while the connection
      // lasts.
      { action: 'drive.connect', subject: 'drive', subjectId: null },
    );
    return null;
  });
}

async function revokeAtGoogle(deps: Deps, sealedToken: string | null): Promise<boolean> {
  const client = findGoogleClient(deps);
  // A lost connection has no tokens left to revoke.
  if (sealedToken === null) return true;
  if (client === undefined) return false;
  return revokeToken(client, unseal(deps.secretKey, TOKEN_PURPOSE, sealedToken));
}

function redirectUrl({ config }: Pick<Deps, 'config'>): string {
  return `${homePage({ config })}/api/google-drive/callback`;
}

// A token that expires during the request would be rejected.
const EXPIRY_MARGIN_MS = 60_000;

/**
 * Returns the source of the connection's access tokens, which processes share through the database. It throws `lost` if there
 * is no connection. If Google no longer accepts the refresh token, it also marks the connection as lost.
 */
export function driveAccessTokens(deps: Deps, client: GoogleClient): AccessTokenSource {
  let renewing: Promise<string> | undefined;
  const renewOnce = (sealedRefresh: string) => {
    renewing ??= renewAccessToken(deps, client, sealedRefresh).finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  return {
    token: async () => {
      const { accessToken, accessExpiresAt, refreshToken } = await requireConnection(deps);
      const token = isStillValid(deps, accessExpiresAt)
        ? unsealIfReadable(deps, TOKEN_PURPOSE, accessToken)
        : undefined;
      return token ?? renewOnce(refreshToken);
    },
    renew: async (rejected) => {
      const { accessToken, refreshToken } = await requireConnection(deps);
      const token = unsealIfReadable(deps, TOKEN_PURPOSE, accessToken);
      // Another process refreshed the token first.
      return token === undefined || token === rejected ? renewOnce(refreshToken) : token;
    },
  };
}

async function requireConnection(deps: Deps) {
  const connection = await findConnection(deps.database.db);
  if (connection === undefined || connection.refreshToken === null)
    throw new DriveFailure('lost', 'not connected');
  return { ...connection, refreshToken: connection.refreshToken };
}

async function renewAccessToken(deps: Deps, client: GoogleClient, sealedRefresh: string): Promise<string> {
  const { db } = deps.database;
  try {
    const refreshToken = unsealIfReadable(deps, TOKEN_PURPOSE, sealedRefresh);
    if (refreshToken === undefined) throw new DriveFailure('lost', 'sealed with another key');
    const access = await refreshAccess(client, refreshToken);
    const token = seal(deps.secretKey, TOKEN_PURPOSE, access.token);
    await saveAccessToken(db, sealedRefresh, { token, expiresAt: access.expiresAt });
    return access.token;
  } catch (error) {
    const failure = toDriveFailure(error);
    if (failure.kind === 'lost') {
      deps.log.warn({ failure: failure.message }, 'the connection to Google Drive was lost');
      await markConnectionLost(db, sealedRefresh, deps.clock.now());
    }
    throw failure;
  }
}

function isStillValid({ clock }: Deps, expiresAt: Instant | null): boolean {
  return expiresAt !== null && millisecondsOf(expiresAt) - millisecondsOf(clock.now()) > EXPIRY_MARGIN_MS;
}

/** Decrypts a stored secret. Returns undefined if there is none, or if it was sealed before a change of SECRET_KEY. */
export function unsealIfReadable(deps: Deps, purpose: string, sealed: string | null): string | undefined {
  try {
    return sealed === null ? undefined : unseal(deps.secretKey, purpose, sealed);
  } catch {
    return undefined;
  }
}
