import { beforeAll, describe, expect, test } from 'vitest';
import { aPerson, aSchool } from '../../builders.ts';
import { linkIn, type MailServer, startMailServer } from '../../mail-server.ts';
import { sendMail } from '../../sent-emails.ts';
import { DESKTOP, type District, open, openDistrict, PHONE, type Visit } from '../browser.ts';
import { misfits } from '../check-screens.ts';
import { expectNoBarriers } from '../expect-accessible.ts';
import { words } from '../spoken-language.ts';

const SENT =
  'If that address has an account, a sign-in link is on its way. Open it in this browser within 15 minutes.';

let district: District;
let mail: MailServer;
let school: Awaited<ReturnType<typeof aSchool>>;

beforeAll(async () => {
  mail = await startMailServer();
  district = await openDistrict({ SIGN_IN_LINK: 'on', SMTP_URL: mail.url });
  school = await aSchool(district, { name: 'Lincoln Elementary' });
});

const volunteer = () => aPerson(district, { schools: [school], isProven: true });
const atDashboard = (visit: Visit) =>
  visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();
const atSignIn = (visit: Visit) => visit.page.getByRole('heading', { name: words.auth.signIn }).waitFor();

async function mailedTo(email: string): Promise<string> {
  await sendMail(district);
  const letters = (await mail.letters()).filter(({ to }) => to?.some(({ address }) => address === email));
  return `/?signin-link=${linkIn(letters.at(-1), 'signin-link')}`;
}

async function ask(visit: Visit, email: string): Promise<string> {
  await visit.press(visit.button(words.auth.linkAsk));
  await visit.page.getByLabel(words.users.email).fill(email);
  await visit.press(visit.button(words.auth.linkSend));
  await visit.sees(SENT);
  return mailedTo(email);
}

async function fits(visit: Visit): Promise<void> {
  await expectNoBarriers(visit.page);
  expect(await misfits(visit)).toEqual([]);
}

describe.each([PHONE, DESKTOP])('a sign-in link on a $device', (look) => {
  test('has accessible screens that fit', async () => {
    const visit = await open(district, { look });
    await visit.button(words.auth.linkAsk).waitFor();
    await fits(visit);
    await visit.press(visit.button(words.auth.linkAsk));
    await visit.press(visit.button(words.auth.linkSend));
    await fits(visit);
    await visit.page.getByLabel(words.users.email).fill((await volunteer()).email);
    await visit.press(visit.button(words.auth.linkSend));
    await visit.sees(SENT);
    await fits(visit);
    visit.expectFailure('400 POST /api/auth/sign-in-link/open');
    await visit.page.goto('/?signin-link=made-up');
    await visit.sees(words.auth.linkInvalid);
    await fits(visit);
  });
});

test('a sign-in link opened in another browser explains that, and still works in its own', async () => {
  const person = await volunteer();
  const here = await open(district, { look: PHONE });
  const link = await ask(here, person.email);
  const elsewhere = await open(district, { look: DESKTOP });
  elsewhere.expectFailure('409 POST /api/auth/sign-in-link/open');
  await elsewhere.page.goto(link);
  await elsewhere.sees(words.auth.linkElsewhere);
  await elsewhere.press(elsewhere.button(words.users.backToSignIn));
  await atSignIn(elsewhere);
  await here.page.goto(link);
  await atDashboard(here);
});

test('a sign-in link shows a network error, and works when opened again', async () => {
  const person = await volunteer();
  const visit = await open(district, { look: DESKTOP });
  const link = await ask(visit, person.email);
  await visit.breakAt('POST /api/auth/sign-in-link/open', 'no answer');
  await visit.page.goto(link);
  await visit.sees(words.auth.linkOpenFailed);
  await visit.mend();
  await visit.page.goto(link);
  await atDashboard(visit);
});

test('Back returns from the link form to sign-in, and a used link opens the app if signed in', async () => {
  const person = await volunteer();
  const visit = await open(district, { look: DESKTOP });
  await visit.press(visit.button(words.auth.linkAsk));
  await visit.page.getByRole('heading', { name: words.auth.linkTitle }).waitFor();
  await visit.page.goBack();
  await atSignIn(visit);
  const link = await ask(visit, person.email);
  await visit.page.goto(link);
  await atDashboard(visit);
  visit.expectFailure('400 POST /api/auth/sign-in-link/open');
  await visit.page.goto(link);
  await visit.sees(words.auth.linkInvalid);
  await visit.press(visit.button(words.users.backToSignIn));
  await atDashboard(visit);
});
