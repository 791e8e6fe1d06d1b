import { beforeAll, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, aPerson, aSchool, PASSWORD } from '../../builders.ts';
import { linkIn } from '../../mail-server.ts';
import { emailsSentTo } from '../../sent-emails.ts';
import { type District, open, openDistrict, type Visit } from '../browser.ts';
import { words } from '../spoken-language.ts';

let district: District;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let cedar: Awaited<ReturnType<typeof aSchool>>;
let administrator: Awaited<ReturnType<typeof anAdministrator>>;

const startIn = (mode: string) => async () => {
  district = await openDistrict({ REGISTRATION: mode });
  cedar = await aSchool(district, { name: 'Cedar Middle' });
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  await anActivity(district, { school: lincoln, name: 'Garden club' });
  administrator = await anAdministrator(district);
};

const atDashboard = (visit: Visit) =>
  visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();

async function signIn(visit: Visit, email: string) {
  await visit.page.getByLabel(words.users.email).fill(email);
  await visit.page.getByLabel(words.users.password, { exact: true }).fill(PASSWORD);
  await visit.press(visit.button(words.auth.signIn));
}

const invite = (email: string, school: { id: number }) =>
  district.call('POST /api/admin/invites', {
    token: administrator.token,
    body: { email, schoolIds: [school.id] },
  });

const invited = async (email: string) => linkIn((await emailsSentTo(district, email)).at(-1), 'invite');

describe('registration with email confirmation', () => {
  beforeAll(startIn('verify-email'));

  test('offers to try the link again after a network failure', async () => {
    const visit = await open(district, {
      path: '/?verify=made-up',
      before: (page) => page.route('**/api/auth/verify-email', (route) => route.abort('connectionrefused')),
    });
    visit.expectFailure('no answer POST /api/auth/verify-email');
    visit.expectFailure('400 POST /api/auth/verify-email');
    await visit.sees(words.users.confirmFailed);
    await visit.mend();
    await visit.button(words.web.tryAgain).click();
    await visit.sees(words.users.invalidConfirmation);
  });
});

describe('registration with approval', () => {
  beforeAll(startIn('approval'));

  test('also requires approval for a school added later', async () => {
    const person = await aPerson(district, { schools: [lincoln] });
    const visit = await open(district, { as: person });
    await visit.button(words.users.settings).click();
    await visit.page.getByRole('checkbox', { name: 'Cedar Middle' }).click();
    await visit.button(words.users.profileSave).click();
    await visit.sees(words.users.profileUpdated);
    await visit.sees('Cedar Middle: not approved yet');
  });
});

describe('registration by invitation', () => {
  beforeAll(startIn('invite'));

  test('shows a contact address instead of a registration button', async () => {
    const visit = await open(district);
    await visit.sees('The district creates new accounts. Please contact help@maplegrove.example.');
    expect(await visit.button(words.users.toRegister).count()).toBe(0);
  });

  test('adds the school to an existing account after sign-in', async () => {
    const person = await aPerson(district, { schools: [lincoln] });
    await invite(person.email, cedar);
    const visit = await open(district, { path: `/?invite=${await invited(person.email)}` });
    await visit.sees("You're invited to Cedar Middle.");
    await visit.button(words.users.toSignIn).click();
    await signIn(visit, person.email);
    await visit.sees(`You're signed in as ${person.email}.`);
    await visit.button(words.users.join).click();
    await atDashboard(visit);
    const options = visit.page.getByRole('combobox', { name: words.schools.header }).locator('option');
    await expect.poll(() => options.allInnerTexts()).toEqual(['Cedar Middle', 'Lincoln Elementary']);
  });

  test('rejects an invitation for another person with a message', async () => {
    const person = await aPerson(district, { schools: [lincoln] });
    await invite('somebody.else@maplegrove.example', cedar);
    const code = await invited('somebody.else@maplegrove.example');
    const visit = await open(district, { as: person, path: `/?invite=${code}` });
    await visit.sees(words.users.inviteForAnother);
    expect(await visit.button(words.users.join).count()).toBe(0);
    await visit.button(words.users.goOn).click();
    await atDashboard(visit);
  });

  test('does not let users join another school', async () => {
    const person = await aPerson(district, { schools: [lincoln] });
    const visit = await open(district, { as: person });
    visit.expectFailure(/^40\d PUT \/api\/profile/);
    await visit.button(words.users.settings).click();
    await visit.page.getByRole('checkbox', { name: 'Cedar Middle' }).click();
    await visit.button(words.users.profileSave).click();
    await visit.sees('You need an invitation to join Cedar Middle. Please contact help@maplegrove.example.');
  });
});
