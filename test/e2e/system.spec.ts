import { beforeAll, describe, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { leaseDueEmails, markEmailFailed, queueEmail } from '#server/email/outbox.ts';
import { runJobAttempt } from '#server/jobs/job-attempt.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { anAdministrator } from '../builders.ts';
import {
  DESKTOP,
  type District,
  type Look,
  open,
  openDistrict,
  toAdminPanel,
  type Visit,
} from './browser.ts';
import { words } from './spoken-language.ts';

const TO = 'maximiliana.featherstonehaugh@maplegrove.example';

let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  await aLetter(TO);
  const [refused] = await leaseDueEmails(district.deps, 1);
  if (refused !== undefined) await markEmailFailed(district.deps, refused, 'EENVELOPE 550');
  const fail = () => Promise.reject(new TypeError('no'));
  await runJobAttempt(district.deps, 'removeLeftovers', fail);
});

async function aLetter(address: string): Promise<void> {
  const at = district.clock.now();
  await transaction(district.deps.database, (trx) =>
    queueEmail(trx, district.deps, {
      kind: 'welcome',
      userId: null,
      at,
      expiresAt: plusMilliseconds(at, 3_600_000),
      letter: {
        to: { name: '', address },
        language: 'en',
        subject: 'Hello',
        paragraphs: ['Hello'],
        footnotes: [],
      },
    }),
  );
}

async function openSystem(look: Look): Promise<Visit> {
  const visit = await open(district, { look, as: ada });
  await toAdminPanel(visit);
  await visit.press(visit.button(words.web.system).locator('visible=true'));
  await visit.page.getByRole('heading', { name: words.operations.jobs }).waitFor();
  await visit.page.getByText(TO).first().waitFor();
  return visit;
}

describe('the System screen', () => {
  test('runs a failed job again, and removes its warning', async () => {
    const visit = await openSystem(DESKTOP);
    await visit.press(visit.button(/^Run now: Delete the files of deleted/));
    await visit.sees(words.operations.jobRan);
    await visit.page.getByText(/^Jobs that failed/).waitFor({ state: 'detached' });
    await visit.page.reload();
    await visit.page.getByRole('heading', { name: words.operations.jobs }).waitFor();
  });
});
