import { beforeAll, describe, expect, test } from 'vitest';
import { aPerson, aSchool } from '../builders.ts';
import { linkIn } from '../mail-server.ts';
import { emailsSentTo } from '../sent-emails.ts';
import { type District, open, openDistrict, PHONE, type Visit } from './browser.ts';
import { words } from './spoken-language.ts';

const SENT = 'If an account exists for that email, a reset link has been sent.';

let district: District;
let school: Awaited<ReturnType<typeof aSchool>>;

beforeAll(async () => {
  district = await openDistrict();
  school = await aSchool(district, { name: 'Lincoln Elementary' });
});

const email = (visit: Visit) => visit.page.getByLabel(words.users.email);
const atSignIn = (visit: Visit) => visit.page.getByRole('heading', { name: words.auth.signIn }).waitFor();

async function forget(visit: Visit, address: string) {
  await visit.press(visit.button(words.auth.toForgot));
  await email(visit).fill(address);
  await visit.press(visit.button(words.auth.forgotSend));
}

// The screens of account-screens.ts are checked in every width by full/account-screens.spec.ts.
describe('on a phone', () => {
  const look = PHONE;

  test('a user resets a forgotten password with the emailed link', async () => {
    const person = await aPerson(district, { schools: [school], firstName: 'Maria' });
    const elsewhere = await open(district, { look, as: person });
    await elsewhere.page.getByRole('heading', { name: words.activities.heading }).waitFor();

    const visit = await open(district, { look });
    await forget(visit, person.email);
    await visit.sees(SENT);
    const token = linkIn((await emailsSentTo(district, person.email)).at(-1), 'token');
    expect(token).not.toBe('');

    await visit.page.goto(`/?token=${token}`);
    await visit.sees(`Hello Maria, choose a new password for ${person.email}.`);
    expect(new URL(visit.page.url()).search).toBe('');
    await visit.page.getByLabel(words.users.newPassword).fill('harbor-lantern-9');
    await visit.page.getByLabel(words.users.confirmPassword).fill('harbor-lantern-9');
    await visit.press(visit.button(words.auth.resetSave));
    await visit.page.getByRole('heading', { name: words.auth.resetDoneTitle }).waitFor();
    await visit.press(visit.button(words.auth.signIn));
    await visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();

    elsewhere.expectFailure(/^401 GET/);
    await elsewhere.page.reload();
    await atSignIn(elsewhere);
    const subjects = (await emailsSentTo(district, person.email)).map((letter) => letter.subject);
    expect(subjects).toEqual(['Reset your password', 'Your password was changed']);
  });
});
