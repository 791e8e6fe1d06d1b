import { beforeAll, describe, expect, test } from 'vitest';
import { anActivity, anAddress, anAdministrator, aSchool, PASSWORD } from '../builders.ts';
import { linkIn } from '../mail-server.ts';
import { emailsSentTo } from '../sent-emails.ts';
import { type District, open, openDistrict, PHONE, type Visit } from './browser.ts';
import { words } from './spoken-language.ts';

let district: District;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let administrator: Awaited<ReturnType<typeof anAdministrator>>;

const startIn = (mode: string) => async () => {
  district = await openDistrict({ REGISTRATION: mode });
  await aSchool(district, { name: 'Cedar Middle' });
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  await anActivity(district, { school: lincoln, name: 'Garden club' });
  administrator = await anAdministrator(district);
};

const atSignIn = (visit: Visit) => visit.page.getByRole('heading', { name: words.auth.signIn }).waitFor();
const atDashboard = (visit: Visit) =>
  visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();

async function fillIn(visit: Visit) {
  await visit.page.getByLabel(words.users.firstName).fill('Vera');
  await visit.page.getByLabel(words.users.lastName).fill('Volt');
  await choosePassword(visit);
}

async function choosePassword(visit: Visit) {
  await visit.page.getByLabel(words.users.password, { exact: true }).fill(PASSWORD);
  await visit.page.getByLabel(words.users.confirmPassword).fill(PASSWORD);
}

async function register(visit: Visit, email: string, ...schools: string[]) {
  await visit.press(visit.button(words.users.toRegister));
  await fillIn(visit);
  await visit.page.getByLabel(words.users.email).fill(email);
  for (const name of schools) await visit.press(visit.page.getByRole('checkbox', { name }));
  await visit.press(visit.button(words.users.register));
}

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

  test('emails a link that confirms the address once, after which the user can sign in', async () => {
    const email = anAddress();
    const visit = await open(district, { look: PHONE });
    await visit.press(visit.button(words.users.toRegister));
    await visit.sees(words.users.passwordAtLink);
    expect(await visit.page.getByLabel(words.users.password).count()).toBe(0);
    await visit.page.getByLabel(words.users.firstName).fill('Vera');
    await visit.page.getByLabel(words.users.lastName).fill('Volt');
    await visit.page.getByLabel(words.users.email).fill(email);
    await visit.press(visit.page.getByRole('checkbox', { name: 'Lincoln Elementary' }));
    await visit.press(visit.button(words.users.register));
    await visit.sees(
      `We sent a link to ${email}. Open it within 24 hours to confirm your address and choose your password.`,
    );
    expect(await visit.stored('token')).toBeNull();
    await visit.press(visit.button(words.users.backToSignIn));
    await atSignIn(visit);

    const path = `/?verify=${linkIn((await emailsSentTo(district, email)).at(-1), 'verify')}`;
    await visit.page.goto(path);
    await visit.sees(`Your account for ${email} is almost ready.`);
    await choosePassword(visit);
    await visit.press(visit.button(words.users.register));
    await visit.sees(words.users.accountConfirmed);
    expect(new URL(visit.page.url()).search).toBe('');
    await visit.press(visit.button(words.users.backToSignIn));
    await signIn(visit, email);
    await atDashboard(visit);

    const again = await open(district, { path });
    again.expectFailure('400 POST /api/auth/verify-email');
    await again.sees(words.users.invalidConfirmation);
    await again.button(words.users.backToSignIn).click();
    await atSignIn(again);
  });
});

describe('registration with approval', () => {
  beforeAll(startIn('approval'));

  test("hides each school's data until the school approves", async () => {
    const email = anAddress();
    const visit = await open(district, { look: PHONE });
    const asked: string[] = [];
    visit.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await register(visit, email, 'Lincoln Elementary', 'Cedar Middle');
    await visit.sees('Almost there, Vera');
    // The server has no mail server.
    expect(await visit.page.getByText(/open the link we sent/).count()).toBe(0);
    const waiting = visit.page.getByRole('listitem').filter({ hasText: words.users.waiting });
    expect(await waiting.count()).toBe(2);
    expect(await visit.page.getByRole('tab').count()).toBe(0);
    await visit.misses(words.schools.loading);
    expect(asked.filter((path) => /^\/api\/.*(activities|time-entries)/.test(path))).toEqual([]);

    const pending = await district.call('GET /api/admin/memberships', { token: administrator.token });
    const { user } = pending.body.memberships[0];
    await district.call('POST /api/admin/memberships/approve', {
      token: administrator.token,
      body: { userId: user.id, schoolId: lincoln.id, unconfirmed: true },
    });
    await visit.press(visit.button(words.users.checkAgain));
    await atDashboard(visit);
    await visit.sees('Lincoln Elementary');
    await visit.sees('Cedar Middle: not approved yet');

    await visit.press(visit.button(words.web.menu));
    await visit.press(visit.page.getByRole('menuitem', { name: words.users.settings }));
    const box = visit.page.getByRole('checkbox', { name: /Cedar Middle/ });
    await box.and(visit.page.getByRole('checkbox', { name: /Waiting for approval/ })).waitFor();
    expect(await box.isChecked()).toBe(true);
  });
});

describe('registration by invitation', () => {
  beforeAll(startIn('invite'));

  test('opens a prefilled form from the emailed link', async () => {
    const email = anAddress();
    await invite(email, lincoln);
    const code = await invited(email);
    const visit = await open(district, { look: PHONE, path: `/?invite=${code}` });
    await visit.sees("You're invited to Lincoln Elementary.");
    expect(new URL(visit.page.url()).search).toBe('');
    expect(await visit.page.getByLabel(words.users.email).inputValue()).toBe(email);
    await fillIn(visit);
    await visit.press(visit.button(words.users.register));
    await atDashboard(visit);
    await visit.sees('Lincoln Elementary');

    const again = await open(district, { path: `/?invite=${code}` });
    again.expectFailure(/^40\d GET \/api\/auth\/invites\//);
    await again.page.getByRole('heading', { name: words.users.joinTitle }).waitFor();
    await again.button(words.users.backToSignIn).click();
    await again.sees('The district creates new accounts. Please contact help@maplegrove.example.');
  });
});
