import { expect, test } from 'vitest';
import { aPerson, PASSWORD } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { emailsSentTo } from '#test/sent-emails.ts';

const HOUR = 3_600_000;
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const SUBJECT = 'New sign-in to your account';

const on = await startApp({ NEW_DEVICE_LETTERS: 'on' });

async function signIn(app: TestApp, email: string, device: string, agent = FIREFOX): Promise<void> {
  const headers = { 'x-device-key': device.repeat(32), 'user-agent': agent };
  const { status } = await app.call('POST /api/auth/login', { body: { email, password: PASSWORD }, headers });
  expect(status).toBe(200);
}

const told = async (app: TestApp, { email }: { email: string }) =>
  (await emailsSentTo(app, email)).filter(({ subject }) => subject === SUBJECT);

test('an email is sent about a new device, but not about the first one', async () => {
  const ann = await aPerson(on, { isProven: true });
  await signIn(on, ann.email, 'a');
  await signIn(on, ann.email, 'a');
  expect(await told(on, ann)).toHaveLength(0);
  await signIn(on, ann.email, 'b');
  const [letter] = await told(on, ann);
  expect(letter?.text).toContain('Firefox on Linux, Mar 4, 2026, 12:00 PM');
});

test('the email about a new device quotes no user agent, and is sent at most once an hour', async () => {
  const ann = await aPerson(on, { isProven: true });
  await signIn(on, ann.email, 'a');
  await signIn(on, ann.email, 'c', 'Visit https://evil.example now');
  await signIn(on, ann.email, 'd');
  const letters = await told(on, ann);
  expect(letters).toHaveLength(1);
  expect(letters[0]?.text).toContain('Unknown device');
  expect(letters[0]?.text).not.toContain('evil');
  on.clock.advance(HOUR + 1);
  await signIn(on, ann.email, 'e');
  expect(await told(on, ann)).toHaveLength(2);
});

test('new-device emails are not sent to unconfirmed addresses, or if the setting is off', async () => {
  const [ann, off] = [await aPerson(on, { isProven: false }), await startApp()];
  const bob = await aPerson(off, { isProven: true });
  for (const device of ['a', 'b']) {
    await signIn(on, ann.email, device);
    await signIn(off, bob.email, device);
  }
  expect([await told(on, ann), await told(off, bob)]).toEqual([[], []]);
});
