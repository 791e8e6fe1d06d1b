import { beforeAll, describe, expect, test } from 'vitest';
import { createPasswordLink } from '#features/auth/passwords/server/password-reset.ts';
import { transaction } from '#server/db/database.ts';
import { anActivity, anAdministrator, aPerson, aSchool } from '../../builders.ts';
import { type District, open, openDistrict, PHONE, type Visit } from '../browser.ts';
import { words } from '../spoken-language.ts';

let district: District;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let cedar: Awaited<ReturnType<typeof aSchool>>;

beforeAll(async () => {
  district = await openDistrict();
  cedar = await aSchool(district, { name: 'Cedar Middle' });
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  await anActivity(district, { school: lincoln, name: 'Garden club' });
  await anActivity(district, { school: cedar, name: 'Chess night' });
});

const atSignIn = (visit: Visit) => visit.page.getByRole('heading', { name: words.auth.signIn }).waitFor();
const atDashboard = (visit: Visit) =>
  visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();

describe('a session token', () => {
  test('is dropped if the server does not know it', async () => {
    const visit = await open(district, { as: { token: 'made-up' } });
    visit.expectFailure('401 GET /api/profile');
    await atSignIn(visit);
    expect(await visit.stored('token')).toBeNull();
  });

  test('is dropped if the account was deactivated', async () => {
    const volunteer = await aPerson(district, { schools: [lincoln] });
    const visit = await open(district, { as: volunteer });
    await atDashboard(visit);
    await district.deps.database.db
      .updateTable('users')
      .set({ is_active: 0 })
      .where('id', '=', volunteer.id)
      .execute();
    visit.expectFailure(/^401 GET/);
    await visit.page.reload();
    await atSignIn(visit);
    expect(await visit.stored('token')).toBeNull();
  });

  test('is not dropped after a server error', async () => {
    const volunteer = await aPerson(district, { schools: [lincoln] });
    const visit = await open(district, {
      as: volunteer,
      before: (page) => page.route('**/api/profile', (route) => route.fulfill({ status: 503, body: '' })),
    });
    visit.expectFailure('503 GET /api/profile');
    await visit.button(words.web.tryAgain).waitFor();
    expect(await visit.stored('token')).toBe(volunteer.token);
  });
});

describe('the school in the header', () => {
  const chosen = (visit: Visit) =>
    visit.page.getByRole('combobox', { name: words.schools.header }).locator('option:checked').innerText();

  test('is plain text for a user with one school', async () => {
    const volunteer = await aPerson(district, { schools: [lincoln], firstName: 'Maria' });
    const visit = await open(district, { as: volunteer, look: PHONE });
    await visit.sees('Lincoln Elementary');
    await visit.sees('Maria');
    expect(await visit.page.getByRole('combobox').count()).toBe(0);
    expect(await visit.stored('selectedSchoolId')).toBe(String(lincoln.id));
  });

  test.each([
    ['does not exist', '999999'],
    ['is not a number', 'lincoln'],
  ])('is the first one if the stored school %s', async (_, stored) => {
    const volunteer = await aPerson(district, { schools: [cedar, lincoln] });
    const visit = await open(district, { as: volunteer, stored: { selectedSchoolId: stored } });
    // The lists of the stored school are requested before the profile has loaded.
    if (stored === '999999') visit.expectFailure(/^404 GET \/api\/(activities|time-entries)/);
    await atDashboard(visit);
    expect(await chosen(visit)).toBe('Cedar Middle');
    expect(await visit.stored('selectedSchoolId')).toBe(String(cedar.id));
  });

  test("is the user's first school if the stored one belongs to another user", async () => {
    const volunteer = await aPerson(district, { schools: [cedar] });
    const visit = await open(district, {
      as: volunteer,
      stored: { selectedSchoolId: String(lincoln.id) },
    });
    visit.expectFailure(/^404 GET \/api\/(activities|time-entries)/);
    await visit.sees('Cedar Middle');
    await visit.button('Year-Round Activities 1').waitFor();
    await visit.page.getByRole('button', { name: /^Chess night/ }).waitFor();
  });

  test('can be any school for an administrator without one', async () => {
    const administrator = await anAdministrator(district);
    const visit = await open(district, { as: administrator });
    await visit.sees(words['time-entries'].mostActive);
    const school = visit.page.getByRole('combobox', { name: words.schools.header });
    expect(await school.locator('option').allInnerTexts()).toEqual(['Cedar Middle', 'Lincoln Elementary']);
  });
});

test("the volunteer's panel is titled 'Your Most Active Tasks'", async () => {
  const volunteer = await aPerson(district, { schools: [lincoln] });
  const visit = await open(district, { as: volunteer });
  await visit.sees(words['time-entries'].yourMostActive);
});

describe('a password link', () => {
  const linkFor = (person: { id: number }) =>
    transaction(district.deps.database, (trx) =>
      createPasswordLink(trx, person.id, district.clock.now(), 24),
    );

  test('opens the reset screen even for a signed-in user, and ends that session', async () => {
    const person = await aPerson(district, { schools: [lincoln] });
    const visit = await open(district, { as: person, path: `/?token=${await linkFor(person)}` });
    await visit.page.getByLabel(words.users.newPassword).fill('harbor-lantern-9');
    await visit.page.getByLabel(words.users.confirmPassword).fill('harbor-lantern-9');
    await visit.button(words.auth.resetSave).click();
    await visit.page.getByRole('heading', { name: words.auth.resetDoneTitle }).waitFor();
    await visit.button(words.users.backToSignIn).click();
    await atSignIn(visit);
    expect(await visit.stored('token')).toBeNull();
  });
});
