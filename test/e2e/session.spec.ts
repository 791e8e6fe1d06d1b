import { beforeAll, describe, expect, test } from 'vitest';
import { createPasswordLink } from '#features/auth/passwords/server/password-reset.ts';
import { transaction } from '#server/db/database.ts';
import { dayIn } from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool, PASSWORD } from '../builders.ts';
import { type District, open, openDistrict, type Visit } from './browser.ts';
import { words } from './spoken-language.ts';

let district: District;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let cedar: Awaited<ReturnType<typeof aSchool>>;
let club: Awaited<ReturnType<typeof anActivity>>;

beforeAll(async () => {
  district = await openDistrict();
  cedar = await aSchool(district, { name: 'Cedar Middle' });
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  club = await anActivity(district, { school: lincoln, name: 'Garden club' });
  await anActivity(district, { school: cedar, name: 'Chess night' });
});

const atSignIn = (visit: Visit) => visit.page.getByRole('heading', { name: words.auth.signIn }).waitFor();
const atDashboard = (visit: Visit) =>
  visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();

async function signIn(visit: Visit, person: { email: string }, password: string = PASSWORD) {
  await visit.page.getByLabel(words.users.email).fill(person.email);
  await visit.page.getByLabel(words.users.password, { exact: true }).fill(password);
  await visit.button(words.auth.signIn).click();
}

describe('a session token', () => {
  test('leads to sign-in when it expires, without losing input', async () => {
    const own = await openDistrict();
    const school = await aSchool(own);
    await anActivity(own, { school, name: 'Garden club' });
    const volunteer = await aPerson(own, { schools: [school] });
    const visit = await open(own, { as: volunteer });
    await visit.button('Year-Round Activities 1').waitFor();
    await visit.page.getByRole('button', { name: /^Garden club/ }).click();
    await visit.page.getByRole('radio', { name: '2 h' }).click();
    // A late request of the screen would end the session before the press.
    await visit.page.waitForLoadState('networkidle');
    await visit.holdAt(/\/api\/(?!time-entries$)/);
    own.clock.advance(8 * 24 * 3_600_000);
    visit.expectFailure('401 POST /api/time-entries');
    await visit.button('Log 2 hours').click();
    await atSignIn(visit);
    expect(await visit.stored('token')).toBeNull();
    await visit.mend();
    await signIn(visit, volunteer);
    // The input is restored.
    await visit.page.getByRole('heading', { name: 'Garden club' }).waitFor();
    await visit.button('Log 2 hours').waitFor();
  });

  test('is not dropped if the network fails on load, and Try again continues', async () => {
    const volunteer = await aPerson(district, { schools: [lincoln] });
    const visit = await open(district, {
      as: volunteer,
      before: (page) => page.route('**/api/profile', (route) => route.abort('connectionrefused')),
    });
    visit.expectFailure('no answer GET /api/profile');
    await visit.sees(words.web.noSignal);
    await expect
      .poll(() => visit.page.title())
      .toBe(`${words.web.noSignal} - ${words['district-settings'].title}`);
    expect(await visit.stored('token')).toBe(volunteer.token);
    await visit.mend();
    await visit.button(words.web.tryAgain).click();
    await atDashboard(visit);
    await expect
      .poll(() => visit.page.title())
      .toBe(`${words.web.logTime} - ${words['district-settings'].title}`);
  });

  test('is dropped in every tab when one signs out', async () => {
    const volunteer = await aPerson(district, { schools: [lincoln] });
    const visit = await open(district, { as: volunteer });
    await atDashboard(visit);
    const second = await visit.context.newPage();
    await second.goto('/');
    await second.getByRole('button', { name: words.auth.logout }).click();
    await atSignIn(visit);
  });
});

test("signing out works without a network, and the next user sees none of the previous one's data", async () => {
  const maria = await aPerson(district, { schools: [lincoln], firstName: 'Maria' });
  const noor = await aPerson(district, { schools: [lincoln], firstName: 'Noor' });
  const today = dayIn('UTC', district.clock.now());
  await anEntry(district, { by: maria, activity: club, date: today, notes: 'Watered the beans' });
  const visit = await open(district, { as: maria });
  await visit.page.getByRole('tab', { name: words.web.recentActivity }).click();
  await visit.sees('Watered the beans');
  await visit.breakAt('POST /api/auth/logout', 'no answer');
  await visit.button(words.auth.logout).click();
  await atSignIn(visit);
  expect(await visit.stored('token')).toBeNull();
  expect(await visit.stored('selectedSchoolId')).toBeNull();
  await visit.mend();
  await signIn(visit, noor);
  await visit.page.getByRole('tab', { name: words.web.recentActivity }).click();
  await visit.sees(words['time-entries'].noneYet);
  await visit.misses('Watered the beans');
});

describe('the school in the header', () => {
  const chosen = (visit: Visit) =>
    visit.page.getByRole('combobox', { name: words.schools.header }).locator('option:checked').innerText();

  test('is a list for users with several schools, switches the content, and is remembered', async () => {
    const volunteer = await aPerson(district, { schools: [cedar, lincoln] });
    const visit = await open(district, { as: volunteer });
    const school = visit.page.getByRole('combobox', { name: words.schools.header });
    await school.waitFor();
    expect(await school.locator('option').allInnerTexts()).toEqual(['Cedar Middle', 'Lincoln Elementary']);
    await visit.button('Year-Round Activities 1').waitFor();
    await visit.page.getByRole('button', { name: /^Chess night/ }).waitFor();
    await school.selectOption('Lincoln Elementary');
    await visit.button('Year-Round Activities 1').waitFor();
    await visit.page.getByRole('button', { name: /^Garden club/ }).waitFor();
    expect(await visit.page.getByRole('button', { name: /^Chess night/ }).count()).toBe(0);
    await visit.page.reload();
    await school.waitFor();
    expect(await chosen(visit)).toBe('Lincoln Elementary');
  });

  test('is missing in a district without schools, where an administrator can add one', async () => {
    const empty = await openDistrict();
    const administrator = await anAdministrator(empty);
    const visit = await open(empty, { as: administrator });
    await visit.sees(words.schools.noneYet);
    await visit.button(words.schools.firstSteps).click();
    await visit.button(words.users.add).waitFor();
    await visit.button(words.web.backToTimeTracker).click();
    await visit.button(words.schools.addFirst).click();
    await visit.button(words.schools.add).waitFor();
    await visit.button(words.web.backToTimeTracker).click();
    await visit.button(words.auth.logout).click();
    await visit.button(words.users.toRegister).click();
    await visit.sees('There are no schools yet. Please contact help@maplegrove.example.');
  });
});

describe('a password link', () => {
  const linkFor = (person: { id: number }) =>
    transaction(district.deps.database, (trx) =>
      createPasswordLink(trx, person.id, district.clock.now(), 24),
    );

  test('opens the reset screen, is removed from the URL, and sets the password once', async () => {
    const person = await aPerson(district, { schools: [lincoln], firstName: 'Maria' });
    const token = await linkFor(person);
    const visit = await open(district, { path: `/?token=${token}` });
    await visit.sees(`Hello Maria, choose a new password for ${person.email}.`);
    expect(visit.page.url()).toBe(`${district.origin}/`);
    expect(await visit.stored('token')).toBeNull();
    await visit.page.getByLabel(words.users.newPassword).fill('harbor-lantern-9');
    await visit.page.getByLabel(words.users.confirmPassword).fill('harbor-lantern-9');
    await visit.button(words.auth.resetSave).click();
    await visit.page.getByRole('heading', { name: words.auth.resetDoneTitle }).waitFor();
    await visit.button(words.users.backToSignIn).click();
    await signIn(visit, person, 'harbor-lantern-9');
    await atDashboard(visit);

    const again = await open(district, { path: `/?token=${token}` });
    again.expectFailure(`400 GET /api/auth/verify-reset-token/${token}`);
    await again.page.getByRole('heading', { name: words.auth.resetInvalidTitle }).waitFor();
    await again.sees(words.auth.invalidResetToken);
    await again.button(words.users.backToSignIn).click();
    await atSignIn(again);
  });
});
