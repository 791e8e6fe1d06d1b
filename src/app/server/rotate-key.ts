import { deleteEveryTotp } from '#features/auth/two-factor/server/store.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Config, ConfigError } from '#server/config.ts';
import { transaction } from '#server/db/database.ts';
import { isUsedByOthers } from '#server/db/dump/pre-update-copy.ts';
import { openUpToDate } from '#server/db/open-migrated-database.ts';
import { lockFolder } from '#server/db/sqlite/folder-lock.ts';
import { systemClock } from '#server/deps.ts';
import { storedKeyFingerprint, storeKeyFingerprint } from '#server/secret-key-check.ts';
import { fingerprintOf, replaceSecretKey } from '#server/secrets.ts';
import { storeDistrictIdentity } from './district-identity-check.ts';
import { revokeLinks } from './revoke-restored-links.ts';

/** The effects of a new key, one line each, shown before the operator confirms. */
export const KEY_ROTATION_EFFECTS = [
  'Everyone is signed out.',
  'Links that were emailed or printed (passwords, invitations, sign-in, verification) stop working, and waiting emails are not sent.',
  'Authenticator apps and recovery codes stop working. People have to set them up again. Passwords and passkeys keep working.',
  'The mail server from the Settings screen must be entered again, and Google Drive must be reconnected.',
  'Past merges of accounts can no longer be undone.',
] as const;

/**
 * Rotates the key of a stopped district: to the current SECRET_KEY, else to a new `secret.key`. Throws
 * `ConfigError` while a server runs, and when SECRET_KEY is unchanged.
 */
export async function rotateKey(config: Config): Promise<void> {
  await lockFolder(config, 0);
  if (await isUsedByOthers(config))
    throw new ConfigError('DATABASE_URL: other programs are using the database. Stop every server first');
  const database = await openUpToDate(config);
  try {
    const { secretKey } = config;
    const next = secretKey === undefined ? undefined : fingerprintOf(Buffer.from(secretKey, 'utf8'));
    if (next !== undefined && next === (await storedKeyFingerprint(database.db)))
      throw new ConfigError('SECRET_KEY: is still the old key. Set a new one first');
    const now = systemClock.now();
    const actor = { userId: null, at: now, address: null, requestId: null };
    const fingerprint = await transaction(database, async (trx) => {
      await revokeLinks(trx);
      await deleteEveryTotp(trx);
      await recordEvent(trx, actor, { action: 'system.key-rotate', subject: 'system', subjectId: null });
      // Written before the commit: if this process dies in between, the next start asks for this command
      // again.
      const made = next ?? replaceSecretKey(config.dataDir);
      await storeKeyFingerprint(trx, made, now);
      return made;
    });
    storeDistrictIdentity(config, fingerprint);
  } finally {
    await database.close();
  }
}
