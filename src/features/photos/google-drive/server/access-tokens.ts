import type { Deps } from '#server/deps.ts';
import { seal, unseal } from '#server/secrets.ts';
import { type Instant, millisecondsOf } from '#shared/calendar-date.ts';
import { TOKENS } from './connection.ts';
import { findConnection, markConnectionLost, saveAccessToken } from './connection-store.ts';
import { DriveFailure, failureOf } from './google-errors.ts';
import { type GoogleClient, refreshAccess } from './oauth.ts';
import type { AccessSource } from './retry.ts';

// A token that ends during the request would be refused.
const SPARE_MS = 60_000;

/**
 * The access tokens of the connection, as long as there is one; several processes share them by the database. `lost` when
 * there is none, or when Google takes the refresh token no more, which is noted.
 */
export function driveAccessTokens(deps: Deps, client: GoogleClient): AccessSource {
  let renewing: Promise<string> | undefined;
  const renewOnce = (sealedRefresh: string) => {
    renewing ??= renew(deps, client, sealedRefresh).finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  return {
    token: async () => {
      const { accessToken, accessExpiresAt, refreshToken } = await requireConnection(deps);
      const token = isGood(deps, accessExpiresAt) ? opened(deps, accessToken) : undefined;
      return token ?? renewOnce(refreshToken);
    },
    renew: async (refused) => {
      const { accessToken, refreshToken } = await requireConnection(deps);
      const token = opened(deps, accessToken);
      // Another process refreshed the token first.
      return token === undefined || token === refused ? renewOnce(refreshToken) : token;
    },
  };
}

async function requireConnection(deps: Deps) {
  const kept = await findConnection(deps.database.db);
  if (kept === undefined || kept.refreshToken === null) throw new DriveFailure('lost', 'not connected');
  return { ...kept, refreshToken: kept.refreshToken };
}

async function renew(deps: Deps, client: GoogleClient, sealedRefresh: string): Promise<string> {
  const { db } = deps.database;
  try {
    const refreshToken = opened(deps, sealedRefresh);
    if (refreshToken === undefined) throw new DriveFailure('lost', 'sealed with another key');
    const access = await refreshAccess(client, refreshToken);
    const token = seal(deps.secretKey, TOKENS, access.token);
    await saveAccessToken(db, sealedRefresh, { token, expiresAt: access.expiresAt });
    return access.token;
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === 'lost') {
      deps.log.warn({ failure: failure.message }, 'the connection to Google Drive was lost');
      await markConnectionLost(db, sealedRefresh, deps.clock.now());
    }
    throw failure;
  }
}

function isGood({ clock }: Deps, expiresAt: Instant | null): boolean {
  return expiresAt !== null && millisecondsOf(expiresAt) - millisecondsOf(clock.now()) > SPARE_MS;
}

// After a change of SECRET_KEY, tokens sealed before it cannot be read.
function opened(deps: Deps, sealed: string | null): string | undefined {
  try {
    return sealed === null ? undefined : unseal(deps.secretKey, TOKENS, sealed);
  } catch {
    return undefined;
  }
}
