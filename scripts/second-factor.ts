// npm run second-factor -- --reset ADDRESS, for when the only administrator has lost the phone. The server may be running.
import { resetTwoFactorFromCommandLine } from '#features/auth/two-factor/server/admin-reset.ts';
import { type Deps, systemClock } from '#server/deps.ts';
import { createTranslators } from '#server/i18n/translator.ts';
import { readSecretKey } from '#server/secrets.ts';
import { runOnDatabase } from './database-command.ts';

const OUTCOMES = {
  'no account': 'There is no account with this address',
  'nothing to reset': 'This account has no two-step sign-in. Nothing was changed',
  reset:
    'Done: the account now signs in with just its password, was signed out everywhere, and gets an email',
} as const;

const [option, address = '', ...more] = process.argv.slice(2);
const isValid = option === '--reset' && address !== '' && more.length === 0;

await runOnDatabase(
  { isValid, usage: 'Usage: npm run second-factor -- --reset ADDRESS' },
  async (database, config) => {
    const translator = createTranslators().translator;
    const deps = { config, database, clock: systemClock, translator, secretKey: readSecretKey(config) };
    // A reset uses only these dependencies.
    const outcome = await resetTwoFactorFromCommandLine(deps as unknown as Deps, address);
    console.log(OUTCOMES[outcome]);
    return outcome === 'reset' ? 0 : 1;
  },
);
