import { beforeAll, describe, expect, test } from 'vitest';
import { anActivity, anAddress, anAdministrator, aPerson, aSchool, PASSWORD } from '../builders.ts';
import { linkIn } from '../mail-server.ts';
import { lettersTo } from '../outbox.ts';
import { type District, open, openDistrict, PHONE, type Visit } from './browser.ts';

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

const atSignIn = (visit: Visit) => visit.page.getByRole('heading', { name: 'Sign in' }).waitFor();
const atDashboard = (visit: Visit) =>
  visit.page.getByRole('heading', { name: 'What did you help with?' }).waitFor();

async function fillIn(visit: Visit) {
  await visit.page.getByLabel('First Name').fill('Vera');
  await visit.page.getByLabel('Last Name').fill('Volt');
  await choosePassword(visit);
}

async function choosePassword(visit: Visit) {
  await visit.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await visit.page.getByLabel('Confirm Password').fill(PASSWORD);
}

async function register(visit: Visit, email: string, ...schools: string[]) {
  await visit.press(visit.button("Don't have an account? Create one"));
  await fillIn(visit);
  await visit.page.getByLabel('Email').fill(email);
  for (const name of schools) await visit.press(visit.page.getByRole('checkbox', { name }));
  await visit.press(visit.button('Create account'));
}

async function signIn(visit: Visit, email: string) {
  await visit.page.getByLabel('Email').fill(email);
  await visit.page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await visit.press(visit.button('Sign in'));
}

const invite = (email: string, school: { id: number }) =>
  district.call('POST /api/admin/invites', {
    token: administrator.token,
    body: { email, schoolIds: [school.id] },
  });

const invited = async (email: string) => linkIn((await lettersTo(district, email)).at(-1), 'invite');

describe('verify-email', () => {
  beforeAll(startIn('verify-email'));

  test('registering mails a link; it confirms the address once, and sign in works', async () => {
    const email = anAddress();
    const visit = await open(district, { look: PHONE });
    await visit.press(visit.button("Don't have an account? Create one"));
    await visit.sees('You choose your password when you open the link that we send to this address.');
    expect(await visit.page.getByLabel('Password').count()).toBe(0);
    await visit.page.getByLabel('First Name').fill('Vera');
    await visit.page.getByLabel('Last Name').fill('Volt');
    await visit.page.getByLabel('Email').fill(email);
    await visit.press(visit.page.getByRole('checkbox', { name: 'Lincoln Elementary' }));
    await visit.press(visit.button('Create account'));
    await visit.sees(
      `We sent a link to ${email}. Open it within 24 hours to confirm your address and choose your password.`,
    );
    expect(await visit.stored('token')).toBeNull();
    await visit.press(visit.button('Back to Sign In'));
    await atSignIn(visit);

    const path = `/?verify=${linkIn((await lettersTo(district, email)).at(-1), 'verify')}`;
    await visit.page.goto(path);
    await visit.sees(`Your account for ${email} is almost ready.`);
    await choosePassword(visit);
    await visit.press(visit.button('Create account'));
    await visit.sees('Your account is ready. You can sign in now.');
    expect(new URL(visit.page.url()).search).toBe('');
    await visit.press(visit.button('Back to Sign In'));
    await signIn(visit, email);
    await atDashboard(visit);

    const again = await open(district, { path });
    again.expectFailure('400 POST /api/auth/verify-email');
    await again.sees('Invalid or expired confirmation link');
    await again.button('Back to Sign In').click();
    await atSignIn(again);
  });

  test('without a network the link is tried again', async () => {
    const visit = await open(district, {
      path: '/?verify=made-up',
      before: (page) => page.route('**/api/auth/verify-email', (route) => route.abort('connectionrefused')),
    });
    visit.expectFailure('no answer POST /api/auth/verify-email');
    visit.expectFailure('400 POST /api/auth/verify-email');
    await visit.sees('Failed to confirm your address. Please try again.');
    await visit.mend();
    await visit.button('Try again').click();
    await visit.sees('Invalid or expired confirmation link');
  });
});

describe('approval', () => {
  beforeAll(startIn('approval'));

  test('each school waits, nothing of it shows, and it opens once it is approved', async () => {
    const email = anAddress();
    const visit = await open(district, { look: PHONE });
    const asked: string[] = [];
    visit.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await register(visit, email, 'Lincoln Elementary', 'Cedar Middle');
    await visit.sees('Almost there, Vera');
    const waiting = visit.page.getByRole('listitem').filter({ hasText: 'Waiting for approval' });
    expect(await waiting.count()).toBe(2);
    expect(await visit.page.getByRole('tab').count()).toBe(0);
    await visit.misses('Loading schools...');
    expect(asked.filter((path) => /^\/api\/.*(activities|time-entries)/.test(path))).toEqual([]);

    const pending = await district.call('GET /api/admin/memberships', { token: administrator.token });
    const { user } = pending.body.memberships[0];
    await district.call('POST /api/admin/memberships/approve', {
      token: administrator.token,
      body: { userId: user.id, schoolId: lincoln.id, unconfirmed: true },
    });
    await visit.press(visit.button('Check again'));
    await atDashboard(visit);
    await visit.sees('Lincoln Elementary');
    await visit.sees('Cedar Middle: waiting for approval');

    await visit.press(visit.button('Menu'));
    await visit.press(visit.page.getByRole('menuitem', { name: 'Settings' }));
    const box = visit.page.getByRole('checkbox', { name: /Cedar Middle/ });
    await box.and(visit.page.getByRole('checkbox', { name: /Waiting for approval/ })).waitFor();
    expect(await box.isChecked()).toBe(true);
  });

  test('a school asked for later waits, too', async () => {
    const person = await aPerson(district, { schools: [lincoln] });
    const visit = await open(district, { as: person });
    await visit.button('Settings').click();
    await visit.page.getByRole('checkbox', { name: 'Cedar Middle' }).click();
    await visit.button('Save changes').click();
    await visit.sees('Profile updated successfully');
    await visit.sees('Cedar Middle: waiting for approval');
  });
});

describe('invite', () => {
  beforeAll(startIn('invite'));

  test('without a code there is nothing to press, and it says what to do', async () => {
    const visit = await open(district);
    await visit.sees('New accounts are made by the district. Please write to help@maplegrove.example.');
    expect(await visit.button("Don't have an account? Create one").count()).toBe(0);
  });

  test('the mailed link opens the form, filled in, and lets in', async () => {
    const email = anAddress();
    await invite(email, lincoln);
    const code = await invited(email);
    const visit = await open(district, { look: PHONE, path: `/?invite=${code}` });
    await visit.sees('You are invited to Lincoln Elementary.');
    expect(new URL(visit.page.url()).search).toBe('');
    expect(await visit.page.getByLabel('Email').inputValue()).toBe(email);
    await fillIn(visit);
    await visit.press(visit.button('Create account'));
    await atDashboard(visit);
    await visit.sees('Lincoln Elementary');

    const again = await open(district, { path: `/?invite=${code}` });
    again.expectFailure(/^40\d GET \/api\/auth\/invites\//);
    await again.page.getByRole('heading', { name: 'Your invitation' }).waitFor();
    await again.button('Back to Sign In').click();
    await again.sees('New accounts are made by the district. Please write to help@maplegrove.example.');
  });

  test('somebody with an account signs in first, and joins', async () => {
    const person = await aPerson(district, { schools: [lincoln] });
    await invite(person.email, cedar);
    const visit = await open(district, { path: `/?invite=${await invited(person.email)}` });
    await visit.sees('You are invited to Cedar Middle.');
    await visit.button('Already have an account? Sign in').click();
    await signIn(visit, person.email);
    await visit.sees(`You are signed in as ${person.email}.`);
    await visit.button('Join').click();
    await atDashboard(visit);
    const options = visit.page.getByRole('combobox', { name: 'School' }).locator('option');
    await expect.poll(() => options.allInnerTexts()).toEqual(['Cedar Middle', 'Lincoln Elementary']);
  });

  test('an invitation for somebody else is refused in words', async () => {
    const person = await aPerson(district, { schools: [lincoln] });
    await invite('somebody.else@maplegrove.example', cedar);
    const code = await invited('somebody.else@maplegrove.example');
    const visit = await open(district, { as: person, path: `/?invite=${code}` });
    await visit.sees('This invitation was sent to another email address');
    expect(await visit.button('Join').count()).toBe(0);
    await visit.button('Continue').click();
    await atDashboard(visit);
  });

  test('another school cannot be joined without one', async () => {
    const person = await aPerson(district, { schools: [lincoln] });
    const visit = await open(district, { as: person });
    visit.expectFailure(/^40\d PUT \/api\/profile/);
    await visit.button('Settings').click();
    await visit.page.getByRole('checkbox', { name: 'Cedar Middle' }).click();
    await visit.button('Save changes').click();
    await visit.sees('You need an invitation to join Cedar Middle. Please write to help@maplegrove.example.');
  });
});
