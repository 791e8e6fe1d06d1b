import { resolve } from 'node:path';
import { ensureAdministrator } from '#rooms/users/server/first-administrator.ts';
import { sweepSessions } from '#rooms/users/server/sessions.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { DatabaseError } from './db/connect.ts';
import type { Deps } from './deps.ts';
import { keepHouse } from './housekeeping.ts';
import { prepare } from './start.ts';

const PAGES = resolve(import.meta.dirname, '../../dist');
const STOP_AFTER_MS = 10_000;

try {
  await main();
} catch (error) {
  if (error instanceof ConfigError || error instanceof DatabaseError) {
    console.error(error.message);
    process.exit(1);
  }
  throw error;
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  const { app, deps, migrated } = await prepare(config, { pages: PAGES });
  if (migrated.length > 0) console.log(`Database ready (${migrated.join(', ')})`);
  const stopKeeping = keepHouse(deps, [sweepSessions]);
  app.addHook('onClose', stopKeeping);
  const signIn = await signInLine(deps);
  const address = await listen(app, config);
  console.log(signIn(config.publicUrl ?? `http://localhost:${new URL(address).port || '80'}`));
  stopOnSignals(async () => {
    await app.close();
  });
}

async function listen(app: Awaited<ReturnType<typeof prepare>>['app'], config: Config): Promise<string> {
  try {
    const address = await app.listen({ port: config.port, host: config.host });
    console.log(`Volunteer Time Tracker is ready at ${address}`);
    return address;
  } catch (error) {
    await app.close();
    if (error instanceof Error && 'code' in error) {
      if (error.code === 'EADDRINUSE')
        throw new ConfigError(`PORT: ${config.port} is in use by another program`);
      if (error.code === 'EACCES')
        throw new ConfigError(`PORT: ${config.port} needs rights this user does not have`);
      if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND') {
        throw new ConfigError(`HOST: ${config.host} is not an address of this machine`);
      }
    }
    throw error;
  }
}

// One line that says how to sign in, once the address is known.
async function signInLine(deps: Deps): Promise<(publicUrl: string) => string> {
  const first = await ensureAdministrator(deps);
  if (first.how === 'present') return (url) => `Sign in at ${url}`;
  if (first.how === 'created') return (url) => `Sign in at ${url} as ${first.email} with ADMIN_PASSWORD`;
  return (url) =>
    `No administrator yet. Set the first one's password (once, within ${first.hours} h): ${url}/?token=${first.token}\n` +
    `Then sign in as ${first.email}`;
}

/**
 * The first signal stops gracefully: requests in flight finish, the database closes. More of them change nothing: a
 * Ctrl-C reaches this process from the terminal and from the script that started it.
 */
function stopOnSignals(stop: () => Promise<void>): void {
  let stopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      if (stopping) return;
      stopping = true;
      setTimeout(() => process.exit(1), STOP_AFTER_MS).unref();
      stop().then(
        () => process.exit(0),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
    });
  }
}
