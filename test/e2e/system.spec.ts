import { beforeAll, describe, expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { leaseDueEmails, markEmailFailed, queueEmail } from '#server/email/outbox.ts';
import { runJobAttempt } from '#server/jobs/job-attempt.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { anAdministrator } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { IS_FULL } from '../test-level.ts';
import {
  DESKTOP,
  type District,
  LOOKS,
  type Look,
  open,
  openDistrict,
  PHONE,
  toAdminPanel,
  type Visit,
} from './browser.ts';
import { misfits } from './check-screens.ts';
import { expectAccessible } from './expect-accessible.ts';
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

// First, because the other tests remove what it shows.
describe.runIf(IS_FULL).each(LOOKS)('the System screen on a $device in $scheme', (look) => {
  test('shows what needs attention, and fits the screen', async () => {
    const visit = await openSystem(look);
    await visit.sees('There is no backup');
    await visit.sees("1 email couldn't be sent");
    await visit.sees(words.operations.lettersInFolder);
    await visit.sees(words.users.lettersInFolder);
    await visit.misses(words.operations.lettersWaiting);
    await visit.sees('Jobs that failed on their last run: Delete the files of deleted photos (TypeError)');
    expect(await misfits(visit)).toEqual([]);
    await expectAccessible(visit.page);
  });
});

describe('the System screen', () => {
  test('runs a failed job again, and removes its warning', async () => {
    const visit = await openSystem(DESKTOP);
    await visit.press(visit.button(/^Run now: Delete the files of deleted/));
    await visit.sees(words.operations.jobRan);
    await visit.page.getByText(/^Jobs that failed/).waitFor({ state: 'detached' });
    await visit.page.reload();
    await visit.page.getByRole('heading', { name: words.operations.jobs }).waitFor();
  });

  fullTest('sends a test email, by default to the viewer, and discards it', async () => {
    const visit = await openSystem(PHONE);
    await visit.press(visit.button(words.operations.testMail));
    const field = visit.page.getByLabel(words.operations.testTo, { exact: true });
    expect(await field.inputValue()).toBe(ada.email);
    await field.fill('post@maplegrove.example');
    await field.press('Enter');
    await visit.sees(
      "Email isn't set up, so the test email to post@maplegrove.example was not sent. It is in the “outbox” folder on the server",
    );
    await visit.press(visit.button('Remove the email to post@maplegrove.example'));
    const question = visit.page.getByRole('alertdialog');
    await visit.press(question.getByRole('button', { name: words.operations.drop }));
    await visit.sees(words.operations.letterDropped);
    await visit.button('Remove the email to post@maplegrove.example').waitFor({ state: 'detached' });
  });

  fullTest('resends a rejected email', async () => {
    const visit = await openSystem(DESKTOP);
    await visit.press(visit.button(`Send now: the email to ${TO}`));
    await visit.sees(words.operations.letterRetried);
    await visit.page.getByText("1 email couldn't be sent").waitFor({ state: 'detached' });
  });

  fullTest('shows an error if it fails to load, and loads with Try again', async () => {
    const visit = await open(district, { look: PHONE, as: ada });
    await toAdminPanel(visit);
    await visit.breakAt('GET /api/admin/system', 503);
    await visit.press(visit.button(words.web.system).locator('visible=true'));
    await visit.sees(words.operations.failedToLoad);
    await visit.mend();
    await visit.press(visit.button(words.web.tryAgain));
    await visit.page.getByRole('heading', { name: words.operations.jobs }).waitFor();
  });
});
