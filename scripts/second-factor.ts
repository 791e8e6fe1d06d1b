// npm run second-factor -- --reset ADDRESS, for when the only administrator has lost the phone. The server may be running.
import { resetTwoFactorFromCommandLine } from '#features/auth/two-factor/server/admin-reset.ts';
import { ConfigError, readConfig } from '#server/config.ts';
import { DatabaseError } from '#server/db/database.ts';
import { openUpToDate } from '#server/db/open-migrated-database.ts';
import { type Deps, systemClock } from '#server/deps.ts';
import { createTranslators } from '#server/i18n/translator.ts';
import { readSecretKey } from '#server/secrets.ts';

const OUTCOMES = {
  'no account': 'There is no account with this address',
  'nothing to reset': 'This account has no two-step sign-in. Nothing was changed',
  reset:
    'Done: the account now signs in with just its password, was signed out everywhere, and gets an email',
} as const;

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigError) && !(error instanceof DatabaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run([option, address, ...more]: string[]): Promise<number> {
  if (option !== '--reset' || address === undefined || more.length > 0) {
    console.error('Usage: npm run second-factor -- --reset ADDRESS');
    return 2;
  }
  const config = readConfig(process.env);
  const database = await openUpToDate(config);
  try {
    const translator = createTranslators().translator;
    const deps = { config, database, clock: systemClock, translator, secretKey: readSecretKey(config) };
    // A reset uses only these dependencies.
    const outcome = await resetTwoFactorFromCommandLine(deps as unknown as Deps, address);
    console.log(OUTCOMES[outcome]);
    return outcome === 'reset' ? 0 : 1;
  } finally {
    await database.close();
  }
}
