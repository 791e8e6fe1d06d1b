import { beforeAll, describe, expect, test } from 'vitest';
import { aPerson, aSchool } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { linkIn } from '../mail-server.ts';
import { emailsSentTo } from '../sent-emails.ts';
import { IS_FULL } from '../test-level.ts';
import { type District, open, openDistrict, PHONE, stepsToGoBack, type Visit } from './browser.ts';
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

describe.runIf(IS_FULL)('the forgotten-password form', () => {
  test('shows the same message for unknown addresses as for known ones, and returns to sign-in', async () => {
    const visit = await open(district, { before: (page) => page.clock.install() });
    await forget(visit, 'nobody@maplegrove.example');
    await visit.sees(SENT);
    await visit.page.clock.pauseAt((await visit.page.evaluate(() => Date.now())) + 1_000);
    await visit.page.clock.runFor(2_000);
    await visit.sees(SENT);
    await visit.page.clock.runFor(2_000);
    await atSignIn(visit);
    await visit.misses(SENT);
    expect(await email(visit).inputValue()).toBe('nobody@maplegrove.example');
    expect(await emailsSentTo(district, 'nobody@maplegrove.example')).toEqual([]);
  });

  test('does not return to sign-in if the user has already left', async () => {
    const visit = await open(district, { before: (page) => page.clock.install() });
    await forget(visit, 'nobody@maplegrove.example');
    await visit.sees(SENT);
    await visit.button(words.users.backToSignIn).click();
    await visit.button(words.users.toRegister).click();
    await visit.page.getByLabel(words.users.firstName).fill('Vera');
    await visit.page.clock.fastForward(6_000);
    expect(await visit.page.getByLabel(words.users.firstName).inputValue()).toBe('Vera');
  });

  test.each<[string, (visit: Visit) => Promise<unknown>]>([
    ['Email address is required', (visit) => forget(visit, ' ')],
    [
      'Network error. Please try again.',
      async (visit) => {
        await visit.breakAt('POST /api/auth/forgot-password', 'no answer');
        await forget(visit, 'vera@maplegrove.example');
      },
    ],
    [
      'Password reset request failed',
      async (visit) => {
        await visit.breakAt('POST /api/auth/forgot-password', 503);
        await forget(visit, 'vera@maplegrove.example');
      },
    ],
  ])('shows the message: %s', async (sentence, act) => {
    const visit = await open(district);
    await act(visit);
    await visit.sees(sentence);
    await visit.page.getByRole('link', { name: 'help@maplegrove.example' }).waitFor();
    await visit.button(words.users.backToSignIn).click();
    await atSignIn(visit);
    await visit.misses(sentence);
  });

  test('works with the keyboard alone', async () => {
    const person = await aPerson(district, { schools: [school] });
    const visit = await open(district);
    await visit.button(words.auth.toForgot).focus();
    await visit.page.keyboard.press('Enter');
    const heading = visit.page.getByRole('heading', { name: words.auth.forgotTitle });
    await expect.poll(() => heading.evaluate((one) => one === document.activeElement)).toBe(true);
    await visit.page.keyboard.press('Tab');
    await visit.page.keyboard.type(person.email);
    await visit.page.keyboard.press('Enter');
    await visit.sees(SENT);
    await visit.page.keyboard.press('Tab');
    await visit.page.keyboard.press('Enter');
    await atSignIn(visit);
  });
});

fullTest('a reset link is rejected once a newer one exists', async () => {
  const person = await aPerson(district, { schools: [school] });
  const visit = await open(district);
  const askAgain = async () => {
    await forget(visit, person.email);
    await visit.sees(SENT);
    await visit.button(words.users.backToSignIn).click();
    await expect.poll(() => stepsToGoBack(visit.page)).toBe(0);
    return linkIn((await emailsSentTo(district, person.email)).at(-1), 'token');
  };
  const older = await askAgain();
  const newer = await askAgain();
  expect(newer).not.toBe(older);
  visit.expectFailure(`400 GET /api/auth/verify-reset-token/${older}`);
  await visit.page.goto(`/?token=${older}`);
  await visit.page.getByRole('heading', { name: words.auth.resetInvalidTitle }).waitFor();
  await visit.page.goto(`/?token=${newer}`);
  await visit.page.getByRole('heading', { name: words.auth.resetTitle }).waitFor();
});
