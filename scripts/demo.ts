import { relative, resolve } from 'node:path';
import { startCleanupJobs } from '#app/server/cleanup-jobs.ts';
import { prepare } from '#app/server/start.ts';
import { deleteExpiredSessions } from '#features/auth/sessions/server/actions.ts';
import { startDriveSync } from '#features/photos/google-drive/server/worker.ts';
import { type Config, ConfigError, readConfig } from '#server/config.ts';
import { DatabaseError } from '#server/db/database.ts';
import { type Deps, systemClock } from '#server/deps.ts';
import { deleteExpiredReplies } from '#server/http/idempotency.ts';
import { exitFailedStart, listen, notifyStarter, stopOnSignals } from '#server/process/server-process.ts';
import { setPrivateUmask } from '#server/storage/private-files.ts';
import { VERSION } from '#server/version.ts';
import { dayIn } from '#shared/calendar-date.ts';
import { startGoogle } from '#test/google/fake-google.ts';
import { DemoFolderError, markFilled, prepareDemoFolder } from './demo/demo-folder.ts';
import { DEMO_SIZES, fillDemo, GENERATOR_VERSION } from './demo/fill-demo.ts';
import { addPhotos } from './demo/images.ts';
import { MAIL_DOMAIN } from './demo/names.ts';
import { pageAddress } from './demo/page-address.ts';
import { SIGN_INS } from './demo/people.ts';
import { addRecentDays } from './demo/recent-days.ts';
import { verifyDemoHours } from './demo/verified-hours.ts';

const ROOT = resolve(import.meta.dirname, '..');
const FOLDER = resolve(ROOT, 'demo-data');
const PAGES = resolve(ROOT, 'dist');

// Slow enough that a sync can be watched.
const GOOGLE_DELAY_MS = 150;

// The only settings that the demo reads. Those of a real installation (data, mail, photos, accounts) are ignored.
const SETTINGS = ['PORT', 'HOST', 'TIME_ZONE', 'LOG_LEVEL'];
const REAL_DATA = ['DATA_DIR', 'DATABASE_URL'];

const CLEANUP_JOBS = [
  { name: 'sessions', run: deleteExpiredSessions },
  { name: 'sweepReplies', run: deleteExpiredReplies },
];

try {
  await demo();
} catch (error) {
  if (error instanceof ConfigError || error instanceof DatabaseError || error instanceof DemoFolderError) {
    console.error(error.message);
    await exitFailedStart(error);
  }
  throw error;
}

async function demo(): Promise<void> {
  setPrivateUmask();
  const ignored = REAL_DATA.filter((name) => process.env[name]);
  if (ignored.length > 0) console.log(`${ignored.join(' and ')} ignored, because the demo has its own data`);
  const settings = Object.fromEntries(SETTINGS.map((name) => [name, process.env[name]]));
  const host = settings['HOST'] || '127.0.0.1';
  const publicUrl = pageAddress(host, settings['PORT'] || '3000');
  const google = await startGoogle({
    account: `photos@${MAIL_DOMAIN}`,
    redirectUrl: `${publicUrl}/api/google-drive/callback`,
    isKept: true,
    slownessMs: GOOGLE_DELAY_MS,
  });
  const config = readConfig({
    ...settings,
    ...google.settings,
    // The window that returns from Google can only send messages to a page of the same origin.
    PUBLIC_URL: publicUrl,
    DATA_DIR: FOLDER,
    DISTRICT_NAME: 'Cedar Creek School District',
    SUPPORT_EMAIL: `help@${MAIL_DOMAIN}`,
  });
  const { app, deps } = await prepareFilled(config);
  app.addHook('onClose', startCleanupJobs(deps, CLEANUP_JOBS).stop);
  await deleteDriveData(deps);
  let driveSync: ReturnType<typeof startDriveSync> | undefined;
  app.addHook('onClose', async () => driveSync?.stop());
  const { port } = new URL(await listen(app, config));
  driveSync = startDriveSync(deps);
  stopOnSignals(app, console.error);
  await notifyStarter({ isReady: true });
  console.log(`Volunteer Time Tracker ${VERSION} is ready at ${pageAddress(host, port || '80')}`);
  const people = [
    ['volunteer', SIGN_INS.volunteer],
    ['administrator', SIGN_INS.administrator],
    ['school administrator', SIGN_INS.schoolAdministrator],
    ['coordinator of two schools', SIGN_INS.coordinator],
    ['auditor of all schools', SIGN_INS.auditor],
  ] as const;
  for (const [who, email] of people) {
    console.log(`  ${who.padEnd(28)}${email.padEnd(36)}${SIGN_INS.password}`);
  }
  console.log('  Photo Sync uses a simulated Google Drive on this machine, not Google');
  console.log(
    `The data is in ${relative(process.cwd(), FOLDER) || '.'}/ until tomorrow. Then the demo creates new data`,
  );
}

// The fake Google has no state from an earlier run.
async function deleteDriveData({ database }: Deps): Promise<void> {
  const tables = ['drive_connection', 'drive_files', 'drive_folders', 'drive_root', 'drive_syncs'] as const;
  for (const table of tables) {
    await database.db.deleteFrom(table).execute();
  }
}

async function prepareFilled(config: Config): ReturnType<typeof prepare> {
  const now = systemClock.now();
  const stamp = `${dayIn(config.timeZone, now)} ${config.timeZone} generator ${GENERATOR_VERSION}`;
  const isFilled = prepareDemoFolder(config.dataDir, stamp) === 'reuse';
  const prepared = await prepare(config, { pages: PAGES });
  if (isFilled) return prepared;
  const began = performance.now();
  try {
    await fillDemo(prepared.deps.database, { now, timeZone: config.timeZone });
    await verifyDemoHours(prepared.deps.database, { now, timeZone: config.timeZone });
    await addRecentDays(prepared.deps);
    await addPhotos(prepared.deps);
  } catch (error) {
    await prepared.app.close();
    throw error;
  }
  markFilled(config.dataDir, stamp);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const { schools, activities, volunteers, entries } = DEMO_SIZES;
  console.log(
    `Demo district created in ${seconds} s: ${schools} schools, ${activities} activities, ${volunteers} volunteers, ${entries} entries`,
  );
  return prepared;
}
