import { beforeAll, describe, expect, test } from 'vitest';
import { anAdministrator, aPerson, aSchool, PASSWORD } from '../builders.ts';
import { DESKTOP, type District, type Look, open, openDistrict, PHONE, type Visit } from './browser.ts';
import { words } from './spoken-language.ts';

let district: District;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let person: Awaited<ReturnType<typeof aPerson>>;
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  await aSchool(district, { name: 'Cedar Middle' });
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
});

const dialog = () => visit.page.getByRole('dialog', { name: words.users.settingsTitle });
const field = (label: string) => dialog().getByLabel(label, { exact: true });
const button = (name: string) => dialog().getByRole('button', { name, exact: true });
const box = (name: string) => dialog().getByRole('checkbox', { name });

async function openSettings() {
  if (visit.look.device === 'phone') {
    await visit.press(visit.button(words.web.menu));
    await visit.press(visit.page.getByRole('menuitem', { name: words.users.settings }));
  } else {
    await visit.press(visit.button(words.users.settings));
  }
  await dialog().getByText(words.auth.thisDevice, { exact: true }).waitFor();
}

/** Opens the settings of a new volunteer at Lincoln. */
async function arrive(look: Look = DESKTOP) {
  person = await aPerson(district, { schools: [lincoln], firstName: 'Maria', lastName: 'Lopez' });
  visit = await open(district, { look, as: person });
  await openSettings();
}

async function changePassword(current: string, next: string, again = next) {
  await field(words.auth.currentPassword).fill(current);
  await field(words.users.newPassword).fill(next);
  await field(words.auth.confirmNewPassword).fill(again);
  await visit.press(button(words.auth.changePassword));
}

// The screens of account-screens.ts are checked in every width by full/account-screens.spec.ts.
describe('Account Settings on a phone', () => {
  const look = PHONE;

  test('saves the profile, and reloads to show the change', async () => {
    await arrive(look);
    expect(await button(words.users.profileSave).count()).toBe(0);
    await field(words.users.firstName).fill('Mariana');
    await visit.press(box('Cedar Middle'));
    const reloaded = visit.page.waitForEvent('load');
    const began = Date.now();
    await visit.press(button(words.users.profileSave));
    await visit.sees(words.users.profileUpdated);
    await reloaded;
    expect(Date.now() - began).toBeGreaterThan(500);
    await visit.sees('Mariana');
    const options = visit.page.getByRole('combobox', { name: words.schools.header }).locator('option');
    await expect.poll(() => options.allInnerTexts()).toEqual(['Cedar Middle', 'Lincoln Elementary']);
  });

  test('changes the password and signs out another browser', async () => {
    await arrive(look);
    const login = await district.call('POST /api/auth/login', {
      body: { email: person.email, password: PASSWORD },
    });
    const other = await open(district, { look, as: login.body });
    await other.page.getByRole('heading', { name: words.activities.heading }).waitFor();
    await changePassword(PASSWORD, 'harbor-lantern-9');
    await visit.sees(words.auth.passwordChanged);
    await visit.sees(words.auth.othersSignedOut);
    expect(await field(words.auth.currentPassword).inputValue()).toBe('');
    other.expectFailure(/^401 GET/);
    await other.page.reload();
    await other.page.getByRole('heading', { name: words.auth.signIn }).waitFor();
    await visit.page.reload();
    await visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();
  });
});

describe('the account section of Settings', () => {
  test('signs out all other sessions', async () => {
    await arrive();
    await dialog().getByText(words.users.roleUser, { exact: true }).waitFor();
    await dialog().getByText(words.users.memberSince).waitFor();
    const body = { email: person.email, password: PASSWORD };
    const { token } = (await district.call('POST /api/auth/login', { body })).body;
    await visit.page.reload();
    await openSettings();
    await button(words.auth.signOutOthers).click();
    await visit.sees(words.auth.signedOutOthers);
    await button(words.auth.signOutOthers).waitFor({ state: 'hidden' });
    expect((await district.call('GET /api/profile', { token })).status).toBe(401);
    expect((await district.call('GET /api/profile', { token: person.token })).status).toBe(200);
  });

  test('sends an account deletion request, lists what will not be deleted, and withdraws the request', async () => {
    await arrive(PHONE);
    await visit.press(button(words.privacy.eraseAsk));
    await visit.sees(words.privacy.eraseStays);
    await field(words.privacy.eraseReason).fill('We move away');
    await visit.press(button(words.privacy.eraseSend));
    await visit.sees(words.privacy.erasureRequested);
    const administrator = await anAdministrator(district);
    const asked = () => district.call('GET /api/admin/erasure-requests', { token: administrator.token });
    expect((await asked()).body.erasureRequests).toMatchObject([
      { user: { id: person.id }, reason: 'We move away' },
    ]);
    await visit.page.reload();
    await openSettings();
    await dialog()
      .getByText(/^You asked to delete your account on/)
      .waitFor();
    await visit.press(button(words.privacy.eraseWithdraw));
    await visit.sees(words.privacy.erasureWithdrawn);
    expect((await asked()).body.erasureRequests).toEqual([]);
    await button(words.privacy.eraseAsk).waitFor();
  });
});
