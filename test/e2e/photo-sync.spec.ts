import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, aSchool } from '../builders.ts';
import { type Google, startGoogle } from '../google/fake-google.ts';
import { authUrlOf, comeBack, storedPhotos, workOn } from '../google-drive.ts';
import { atEnd, runningClock } from '../harness.ts';
import {
  DESKTOP,
  type District,
  freePort,
  type Look,
  open,
  openDistrict,
  PHONE,
  toAdminPanel,
  type Visit,
} from './browser.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

const ACCOUNT = 'photos@maplegrove.example';

let google: Google;
let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let fair: Awaited<ReturnType<typeof anActivity>>;
let visit: Visit;

/** The delays that Google requests last until the test ends them, so the screen does not change. */
let pauses = Promise.withResolvers<void>();

beforeAll(async () => {
  google = await startGoogle();
  atEnd(google.close);
  const clock = { ...runningClock(), sleep: () => pauses.promise };
  district = await openDistrict(
    { ...google.settings, PUBLIC_URL: `http://127.0.0.1:${await freePort()}` },
    clock,
  );
  workOn(district);
  atEnd(() => pauses.resolve());
  ada = await anAdministrator(district);
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  fair = await anActivity(district, { school: lincoln, name: 'Book fair' });
  await anActivity(district, { school: lincoln, name: 'Parade' });
  await anActivity(district, { school: lincoln, name: 'Art night' });
});

beforeEach(async () => {
  google.faults.clear();
  pauses = Promise.withResolvers();
  await district.call('POST /api/admin/google-drive/disconnect', { token: ada.token });
});

async function openPhotoSync(
  look: Look,
  of: District = district,
  as = ada,
  before?: (page: Page) => Promise<unknown>,
) {
  visit = await open(of, { look, as, ...(before === undefined ? {} : { before }) });
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: words.web.photoSync }));
  await visit.page.getByLabel(words.schools.filter).selectOption('Lincoln Elementary');
}

/** Presses the button and returns the Google window that it opens. */
async function pressConnect(name = 'Connect Google Drive'): Promise<Page> {
  const [popup] = await Promise.all([visit.page.waitForEvent('popup'), visit.press(visit.button(name))]);
  await popup.getByRole('heading', { name: 'Stand-in for Google' }).waitFor();
  return popup;
}

const answer = (popup: Page, how: 'Allow' | 'Cancel') => popup.getByRole('button', { name: how }).click();

const expectFocus = (words: RegExp) =>
  expect.poll(() => visit.page.evaluate(() => document.activeElement?.textContent)).toMatch(words);

async function connect(): Promise<void> {
  await comeBack(district, await google.consent(await authUrlOf(district, ada)));
}

describe('connecting to Google', () => {
  test('explains a blocked window and declined access, and shows whose Drive it is', async () => {
    await openPhotoSync(DESKTOP);
    await visit.button(words['google-drive'].connect).waitFor();
    await inFull(() => expectAccessible(visit.page));
    const open = await visit.page.evaluateHandle(() => {
      const { open } = window;
      window.open = () => null;
      return open;
    });
    await visit.press(visit.button(words['google-drive'].connect));
    await visit.sees(words['google-drive'].popupBlocked);
    await visit.page.evaluate((given) => {
      window.open = given;
    }, open);

    const popup = await pressConnect();
    expect(await popup.evaluate(() => [window.innerWidth, window.innerHeight])).toEqual([500, 600]);
    await answer(popup, 'Cancel');
    await visit.sees('Failed to connect: Access to Google Drive was declined');
    await popup.getByText(words['google-drive'].declined).waitFor();

    // The window is still open and is used again.
    await visit.press(visit.button(words['google-drive'].connect));
    await Promise.all([popup.waitForEvent('close'), answer(popup, 'Allow')]);
    await visit.sees(words['google-drive'].connected);
    await visit.page.getByText(`${ACCOUNT} · connected by Ada`).waitFor();
    await expectFocus(/Choose activities$/);

    await visit.press(visit.button(words['google-drive'].disconnect));
    const question = visit.page.getByRole('alertdialog');
    await question.getByText('Are you sure you want to disconnect Google Drive?').waitFor();
    await visit.press(question.getByRole('button', { name: words['google-drive'].disconnect }));
    await visit.sees(words['google-drive'].disconnected);
    await visit.button(words['google-drive'].connect).waitFor();
  });
});

describe('a photo sync', () => {
  const state = () => visit.page.getByRole('region', { name: /copied,|^Syncing/ });

  test('shows its progress by photo, continues after a failure, and shows a lost connection', async () => {
    await connect();
    await storedPhotos(district, 4, { by: ada, activity: fair });
    await openPhotoSync(PHONE);
    await visit.press(visit.button(words['google-drive'].syncPhotos));
    await visit.sees(words['google-drive'].selectActivity);
    await visit.press(visit.page.getByRole('button', { name: /^Activities/ }));
    await visit.page.getByRole('searchbox').fill('book');
    await visit.page.getByRole('checkbox', { name: 'Art night' }).waitFor({ state: 'hidden' });
    await inFull(() => expectAccessible(visit.page));
    await visit.press(visit.page.getByRole('checkbox', { name: /^Book fair/ }));
    await visit.press(visit.button(words['google-drive'].done));
    await visit.sees('1 activity, 4 photos');

    google.faults.plan('uploadWhole', 'tooMany', { after: 2, times: 2 });
    google.faults.plan('uploadWhole', 'full');
    await visit.press(visit.button('Sync 1 activity'));
    await visit.sees('Syncing: 2 of 4 photos');
    const bar = visit.page.getByRole('progressbar');
    expect(await bar.getAttribute('aria-valuenow')).toBe('2');
    await visit.page.getByText('Google asked for a pause.').waitFor();
    await inFull(() => expectAccessible(visit.page));
    pauses.resolve();
    await state()
      .getByText(/^Failed to sync Book fair: The connected Google Drive is full/)
      .waitFor();

    await visit.press(visit.button('Continue with 1 unfinished activity'));
    await state()
      .getByText(/^\d copied, \d already there, 0 failed$/)
      .last()
      .waitFor();
    expect(google.tree().map(({ files }) => files.length)).toEqual([4]);
    const link = state().getByRole('link', { name: /^View in Drive Book fair/ });
    expect(await link.getAttribute('href')).toContain(google.origin);
    await expectAccessible(visit.page);

    await storedPhotos(district, 1, { by: ada, activity: fair });
    google.revokeAll();
    visit.expectFailure('409 POST /api/admin/google-drive/sync-activities');
    await visit.press(visit.button('Sync 1 activity'));
    await visit.sees(words['google-drive'].lostTitle);
    await visit.button(words['google-drive'].reconnect).waitFor();
  });
});
