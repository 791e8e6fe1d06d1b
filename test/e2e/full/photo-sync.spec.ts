import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, aSchool } from '../../builders.ts';
import { type Google, startGoogle } from '../../google/fake-google.ts';
import { authUrlOf, comeBack, storedPhotos, workOn } from '../../google-drive.ts';
import { atEnd, runningClock } from '../../harness.ts';
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
} from '../browser.ts';
import { expectAccessible } from '../expect-accessible.ts';
import { words } from '../spoken-language.ts';

const STATUS = 'GET /api/admin/google-drive/status';
let google: Google;
let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let fair: Awaited<ReturnType<typeof anActivity>>;
let parade: Awaited<ReturnType<typeof anActivity>>;
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
  parade = await anActivity(district, { school: lincoln, name: 'Parade' });
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

test('without Google settings, Photo Sync explains step by step how to get them', async () => {
  const bare = await openDistrict();
  const admin = await anAdministrator(bare);
  await aSchool(bare, { name: 'Lincoln Elementary' });
  await openPhotoSync(PHONE, bare, admin);
  await visit.press(visit.button(words['google-drive'].connect));
  await visit.sees(words['google-drive'].setUpTitle);
  const { body } = await bare.call(STATUS, { token: admin.token });
  expect(await visit.page.getByLabel(words['google-drive'].redirectUri, { exact: true }).inputValue()).toBe(
    body.redirectUrl,
  );
  await visit.press(visit.button('Copy Authorized redirect URI'));
  expect(await visit.page.evaluate(() => getSelection()?.toString())).toBe(body.redirectUrl);
  await expectAccessible(visit.page);
});

describe('connecting to Google', () => {
  test('checks with the server if the window sends no message', async () => {
    await openPhotoSync(DESKTOP, district, ada, (page) => page.clock.install());
    const popup = await pressConnect();
    await visit.sees(words['google-drive'].finishAtGoogle);
    await visit.page.clock.fastForward(10_000);
    await visit.page.getByText("We haven't heard back from the Google window.").waitFor();
    await visit.press(visit.button(words['google-drive'].checkStatus));
    await visit.sees(words['google-drive'].notConnected);
    await visit.breakAt(STATUS, 503);
    await visit.press(visit.button(words['google-drive'].checkStatus));
    await visit.sees(words['google-drive'].couldNotCheck);
    await answer(popup, 'Cancel');
    await visit.sees(words['google-drive'].couldNotVerify);
    await visit.mend();

    await popup.addInitScript(() => {
      Object.defineProperty(window, 'opener', { value: null });
      BroadcastChannel.prototype.postMessage = () => undefined;
    });
    await visit.press(visit.button(words['google-drive'].connect));
    await Promise.all([popup.waitForURL('**/api/google-drive/callback*'), answer(popup, 'Allow')]);
    await visit.page.clock.fastForward(10_000);
    await visit.sees(words['google-drive'].connected);
    await visit.page.clock.fastForward(5_000);
    await visit.sees(words['google-drive'].connected);
    await visit.page.clock.fastForward(10_000);
    await visit.misses(words['google-drive'].connected);
  });
});

describe('a photo sync', () => {
  const state = () => visit.page.getByRole('region', { name: /copied,|^Syncing/ });

  test('is canceled by keyboard alone', async () => {
    await connect();
    await storedPhotos(district, 4, { by: ada, activity: fair });
    google.faults.plan('uploadWhole', 'tooMany', { times: 3 });
    await openPhotoSync(DESKTOP);
    const { keyboard } = visit.page;
    await visit.page.getByRole('button', { name: /^Activities/ }).focus();
    await keyboard.press('Enter');
    await keyboard.type('fair');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.press('Space');
    await keyboard.press('Escape');
    await visit.button('Sync 1 activity').focus();
    await keyboard.press('Enter');
    await expectFocus(/Sync$/);
    await visit.button(words['google-drive'].cancelSync).focus();
    await keyboard.press('Enter');
    await visit.sees(words['google-drive'].syncCancelled);
    pauses.resolve();
    await state().getByText(words['google-drive'].cancelled).waitFor();
    await visit.button('Continue with 1 unfinished activity').waitFor();
    await expectFocus(/Sync$/);
    await visit.button('Remove Book fair').focus();
    await keyboard.press('Enter');
    await expectFocus(/^Choose one or more activities$/);
  });

  test('shows its result however short it was, and a link to the folders in Drive', async () => {
    await connect();
    await district.deps.database.db.deleteFrom('drive_root').execute();
    await storedPhotos(district, 1, { by: ada, activity: parade });
    await openPhotoSync(DESKTOP);
    await visit.sees(words['google-drive'].madeWithFirst);
    await visit.press(visit.page.getByRole('button', { name: /^Activities/ }));
    await visit.press(visit.page.getByRole('checkbox', { name: /^Parade/ }));
    await visit.press(visit.button(words['google-drive'].done));
    await visit.press(visit.button('Sync 1 activity'));
    const notices = visit.page.getByRole('region', { name: words.web.notices });
    await notices.getByText(/^1 copied, \d already there, 0 failed$/).waitFor();
    await visit.page.getByRole('link', { name: /^View in Drive Volunteer photos of/ }).waitFor();
    await visit.misses(words['google-drive'].madeWithFirst);
  });
});
