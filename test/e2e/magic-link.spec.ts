import { beforeAll, expect, test } from 'vitest';
import { aPerson, aSchool } from '../builders.ts';
import { linkIn, type MailServer, startMailServer } from '../mail-server.ts';
import { sendMail } from '../sent-emails.ts';
import { DESKTOP, type District, open, openDistrict, type Visit } from './browser.ts';
import { tabTo } from './keyboard.ts';
import { words } from './spoken-language.ts';

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
async function mailedTo(email: string): Promise<string> {
  await sendMail(district);
  const letters = (await mail.letters()).filter(({ to }) => to?.some(({ address }) => address === email));
  return `/?signin-link=${linkIn(letters.at(-1), 'signin-link')}`;
}

test('a user signs in with an emailed link by keyboard alone, which also signs in the waiting tab', async () => {
  const person = await volunteer();
  const visit = await open(district, { look: DESKTOP });
  const { page } = visit;
  await page.getByLabel(words.users.email).fill(person.email);
  await tabTo(page, visit.button(words.auth.linkAsk));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: words.auth.linkTitle }).waitFor();
  expect(await page.getByLabel(words.users.email).inputValue()).toBe(person.email);
  await page.getByLabel(words.users.email).focus();
  await page.keyboard.press('Enter');
  await visit.sees(SENT);
  const link = await mailedTo(person.email);
  const other = await visit.context.newPage();
  await other.goto(`${district.origin}${link}`);
  await other.getByRole('heading', { name: words.activities.heading }).waitFor();
  expect(new URL(other.url()).search).toBe('');
  await atDashboard(visit);
  await other.reload();
  await other.getByRole('heading', { name: words.activities.heading }).waitFor();
  await other.close();
});
