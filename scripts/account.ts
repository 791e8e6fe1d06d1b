// npm run account -- list-admins | reset-password ADDRESS | make-admin ADDRESS [--unconfirmed]. The server may be running.
import {
  listAdministrators,
  makeAdministratorFromCommandLine,
  resetPasswordFromCommandLine,
} from '#features/auth/server/administrator-commands.ts';
import { type Config, ConfigError, readConfig } from '#server/config.ts';
import { type Database, DatabaseError } from '#server/db/database.ts';
import { openUpToDate } from '#server/db/open-migrated-database.ts';
import { systemClock } from '#server/deps.ts';

const USAGE =
  'Usage: npm run account -- list-admins | reset-password ADDRESS | make-admin ADDRESS [--unconfirmed]';
const UNCONFIRMED = '--unconfirmed';

const OUTCOMES = {
  'no account': 'There is no account with this address. The person has to register first',
  unconfirmed: `No one has confirmed this address yet. If you know whose it is, add ${UNCONFIRMED}`,
  already: 'This account is already a district administrator. Nothing was changed',
  made: 'Done: the account is now a district administrator and was signed out everywhere',
} as const;

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigError) && !(error instanceof DatabaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run([command, address, option, ...more]: string[]): Promise<number> {
  const isKnown =
    (command === 'list-admins' && address === undefined) ||
    (command === 'reset-password' && address !== undefined && option === undefined) ||
    (command === 'make-admin' && address !== undefined && [undefined, UNCONFIRMED].includes(option));
  if (!isKnown || more.length > 0) {
    console.error(USAGE);
    return 2;
  }
  const config = readConfig(process.env);
  const database = await openUpToDate(config);
  const deps = { database, clock: systemClock };
  try {
    if (command === 'list-admins') return await list(database);
    if (command === 'reset-password') return await reset(config, database, address ?? '');
    const isUnconfirmedFine = option === UNCONFIRMED;
    const outcome = await makeAdministratorFromCommandLine(deps, address ?? '', { isUnconfirmedFine });
    console.log(OUTCOMES[outcome]);
    return outcome === 'made' ? 0 : 1;
  } finally {
    await database.close();
  }
}

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
