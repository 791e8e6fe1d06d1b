// npm run account -- list-admins | reset-password ADDRESS | make-admin ADDRESS [--unconfirmed]. The server may be running.
import {
  listAdministrators,
  makeAdministratorFromCommandLine,
  resetPasswordFromCommandLine,
} from '#features/auth/server/administrator-commands.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/db/database.ts';
import { systemClock } from '#server/deps.ts';
import { runOnDatabase } from './database-command.ts';

const usage =
  'Usage: npm run account -- list-admins | reset-password ADDRESS | make-admin ADDRESS [--unconfirmed]';
const UNCONFIRMED = '--unconfirmed';

const OUTCOMES = {
  'no account': 'There is no account with this address. The person has to register first',
  unconfirmed: `No one has confirmed this address yet. If you know whose it is, add ${UNCONFIRMED}`,
  already: 'This account is already a district administrator. Nothing was changed',
  made: 'Done: the account is now a district administrator and was signed out everywhere',
} as const;

const [command, address, option, ...more] = process.argv.slice(2);
const isValid =
  more.length === 0 &&
  ((command === 'list-admins' && address === undefined) ||
    (command === 'reset-password' && address !== undefined && option === undefined) ||
    (command === 'make-admin' && address !== undefined && [undefined, UNCONFIRMED].includes(option)));

await runOnDatabase({ isValid, usage }, async (database, config) => {
  if (command === 'list-admins') return list(database);
  if (command === 'reset-password') return reset(config, database, address ?? '');
  const isUnconfirmedFine = option === UNCONFIRMED;
  const deps = { database, clock: systemClock };
  const outcome = await makeAdministratorFromCommandLine(deps, address ?? '', { isUnconfirmedFine });
  console.log(OUTCOMES[outcome]);
  return outcome === 'made' ? 0 : 1;
});

async function list({ db }: Database): Promise<number> {
  for (const { email, name, isActive, hasPassword } of await listAdministrators(db)) {
    const notes = [...(isActive ? [] : ['deactivated']), ...(hasPassword ? [] : ['no password'])];
    console.log(`${email}  ${name}${notes.length === 0 ? '' : `  (${notes.join(', ')})`}`);
  }
  return 0;
}

async function reset(config: Config, database: Database, address: string): Promise<number> {
  const outcome = await resetPasswordFromCommandLine({ database, clock: systemClock }, address);
  if (outcome === 'no account') console.log('There is no account with this address');
  else if (outcome === 'inactive') console.log('This account is deactivated. make-admin activates it');
  else {
    const url = config.publicUrl ?? `http://localhost:${config.port}`;
    console.log(
      `This link sets a new password. It works once, within ${outcome.hours} h: ${url}/?token=${outcome.token}`,
    );
    return 0;
  }
  return 1;
}
