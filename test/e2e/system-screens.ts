import type { Route } from 'playwright-core';
import { toAdminPanel, type Visit } from './browser.ts';
import type { Screen } from './screens.ts';
import { saying, words } from './spoken-language.ts';

const AT = '2026-03-04T18:00:00.000Z';
const LONG = 'A mail server with a very long name that nobody would cut short'.replaceAll(' ', '-');

/** A server where every job is running and many have failed. */
const BUSY = {
  warnings: [
    {
      name: 'backup',
      message: saying('operations:backupFailed', { reason: `/mnt/${LONG}` }),
      remedy: words.operations.backupFailedRemedy,
    },
    {
      name: 'mail',
      message: saying('operations:mailFailed', { count: 2 }),
      remedy: words.operations.mailFailedRemedy,
    },
  ],
  backup: {
    isOn: true,
    lastAt: AT,
    lastMilliseconds: 184_000,
    lastBytes: 5_400_000_000,
    lastError: `/mnt/${LONG}: EACCES`,
    to: `s3://${LONG}/volunteer-time/backups`,
    nextAt: null,
    runningSince: AT,
    progress: { done: 1_200, total: 15_000 },
    lastRestoreTestAt: '2026-02-01T18:00:00.000Z',
  },
  release: {
    notes: `- ${LONG}\n- \`BACKUP_TO\` makes the server back itself up.`,
    isWatched: true,
    newest: { version: '1.2.3', notes: `- ${LONG}` },
    checkedAt: AT,
    error: words.operations.releaseSlow,
  },
  exports: [{ id: 1, format: 'xlsx', by: 'Ada Adams', done: 120_000, total: 1_000_000, startedAt: AT }],
  imports: [{ by: 'Ada Adams', startedAt: AT }],
  hoursImports: [
    { id: 1, by: 'Ada Adams', startedAt: AT, isUndone: false, done: 12_000, total: 50_000 },
    { id: 2, by: null, startedAt: AT, isUndone: true, done: 100, total: 800 },
  ],
  syncs: [
    { id: 1, kind: 'manual', by: 'Ada Adams', done: 30, total: 900, requestedAt: AT, waitingUntil: AT },
    { id: 2, kind: 'nightly', by: null, done: 0, total: 12, requestedAt: AT, waitingUntil: null },
  ],
  failures: [
    {
      method: 'POST',
      route: '/api/admin/google-drive/syncs/:id/cancel',
      status: 503,
      count: 1_204,
      lastAt: AT,
      lastId: '5b0b7a9e-3e0d-4c57-9b36-0f4f5c1e2d3a',
    },
  ],
};

const LETTERS = [
  { state: 'failed', reason: 'EENVELOPE 550', to: `ann@${LONG}.example` },
  { state: 'waiting', reason: null, to: null },
].map((letter, at) => ({
  ...letter,
  id: at + 1,
  kind: 'reset-link',
  createdAt: AT,
  attempts: at,
  dueAt: AT,
}));

async function system(visit: Visit) {
  await visit.page.goto('/');
  await toAdminPanel(visit);
  await visit.press(visit.button(words.web.system).locator('visible=true'));
  await visit.sees(words.operations.noFailures);
}

async function busySystem(visit: Visit) {
  const { page } = visit;
  await page.route('**/api/admin/system', async (route: Route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...BUSY } });
  });
  await page.route('**/api/admin/mail-queue*', (route) =>
    route.fulfill({ json: { letters: LETTERS, nextCursor: null } }),
  );
  await page.goto('/');
  await toAdminPanel(visit);
  await visit.press(visit.button(words.web.system).locator('visible=true'));
  await visit.sees(words.operations.inProgress);
  await visit.press(visit.page.getByText(words.operations.releaseNotes));
}

/** The System screen of a new district, and of one with a lot of activity. */
export const SYSTEM_SCREENS: readonly Screen[] = [
  ['the System screen', 'administrator', system],
  ['the System screen where everything goes on', 'administrator', busySystem],
];
