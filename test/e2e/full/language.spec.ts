import { beforeAll, expect, test } from 'vitest';
import { loadMessages } from '#server/i18n/translator.ts';
import type { en } from '#shared/i18n/english-messages.ts';
import { anAdministrator, aPerson, aSchool, PASSWORD } from '../../builders.ts';
import { linkIn } from '../../mail-server.ts';
import { emailsSentTo } from '../../sent-emails.ts';
import { DESKTOP, type District, open, openDistrict, PHONE, type Visit } from '../browser.ts';

const english = loadMessages('en') as typeof en;
const spanish = loadMessages('es') as typeof en;

const SPANISH = { locale: 'es-US' };
const ENGLISH = { locale: 'en-US' };

let district: District;
let lincoln: Awaited<ReturnType<typeof aSchool>>;

beforeAll(async () => {
  district = await openDistrict({ REGISTRATION: 'open' });
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
});

const aVolunteer = () => aPerson(district, { schools: [lincoln], firstName: 'Maria', lastName: 'Lopez' });

/** Waits for a page in this language. */
const waitForLanguage = async ({ page }: Visit, language: string) => {
  await page.locator(`html[lang="${language}"] h1`).first().waitFor();
};

const heading = ({ page }: Visit, name: string) => page.getByRole('heading', { name, exact: true });

test('the language switch, sign-in and the language setting work by keyboard', async () => {
  const maria = await aVolunteer();
  const visit = await open(district, { look: DESKTOP, ...SPANISH });
  const { page } = visit;
  const press = (key: string) => page.keyboard.press(key);
  const tabTo = async (name: string) => {
    const focused = page.locator(':focus');
    for (let times = 0; times < 60; times++) {
      await press('Tab');
      if ((await focused.count()) === 0) continue;
      const said = await focused.evaluate(
        (at: HTMLElement) =>
          (at as HTMLInputElement).labels?.[0]?.textContent ?? at.getAttribute('aria-label') ?? at.innerText,
      );
      if (said.trim() === name) return;
    }
    throw new Error(`Tab never comes to ${name}`);
  };
  await heading(visit, spanish.auth.signInTitle).waitFor();
  await tabTo('English');
  await press('Enter');
  await waitForLanguage(visit, 'en');
  await tabTo('Español');
  await press('Space');
  await waitForLanguage(visit, 'es');
  await tabTo(spanish.users.email);
  await page.keyboard.type(maria.email);
  await tabTo(spanish.users.password);
  await page.keyboard.type(PASSWORD);
  await press('Enter');
  await tabTo(spanish.users.settings);
  await press('Enter');
  await page.getByRole('dialog').waitFor();
  await tabTo(spanish.users.language);
  await press('ArrowDown');
  expect(await page.locator('html').getAttribute('lang')).toBe('es');
  await tabTo(spanish.users.languageSave);
  await press('Enter');
  await waitForLanguage(visit, 'en');
});

let registered = 0;

test('an account registered in Spanish stays in Spanish', async () => {
  const visit = await open(district, { look: PHONE, ...SPANISH });
  const { page } = visit;
  const { users } = spanish;
  const email = `luz${++registered}@example.org`;
  await visit.press(visit.button(users.toRegister));
  const field = (label: string) => page.getByLabel(label, { exact: true });
  await field(users.firstName).fill('Luz');
  await visit.press(visit.button('English'));
  await visit.press(page.getByRole('alertdialog').getByRole('button', { name: spanish.web.discard }));
  await heading(visit, english.users.registerTitle).waitFor();
  await visit.press(visit.button('Español'));
  await heading(visit, users.registerTitle).waitFor();
  await field(users.firstName).fill('Luz');
  await field(users.lastName).fill('Núñez');
  await field(users.email).fill(email);
  await field(users.password).fill(PASSWORD);
  await field(users.confirmPassword).fill(PASSWORD);
  await visit.press(page.getByText('Lincoln Elementary', { exact: true }));
  await visit.press(visit.button(users.register));
  await heading(visit, spanish.activities.heading).waitFor();
  const { body } = await district.call('POST /api/auth/login', {
    body: { email, password: PASSWORD },
  });
  expect(body.user.language).toBe('es');
});

test('an emailed password link works in the other language', async () => {
  const maria = await aVolunteer();
  await district.call('POST /api/auth/forgot-password', { body: { email: maria.email } });
  const token = linkIn((await emailsSentTo(district, maria.email)).at(-1), 'token');
  const visit = await open(district, { look: PHONE, path: `/?token=${token}`, ...ENGLISH });
  await heading(visit, english.auth.resetTitle).waitFor();
  expect(visit.page.url()).toBe(`${district.origin}/`);
  await visit.press(visit.button('Español'));
  await heading(visit, spanish.auth.resetTitle).waitFor();
  expect(visit.page.url()).toBe(`${district.origin}/`);
});

test('a district that offers only English is in English for everyone', async () => {
  const own = await openDistrict();
  const ada = await anAdministrator(own);
  await own.call('PUT /api/admin/settings', { token: ada.token, body: { languages: ['en'] } });
  const visit = await open(own, { look: PHONE, ...SPANISH });
  await heading(visit, english.auth.signInTitle).waitFor();
  expect(await visit.button('Español').count()).toBe(0);
});
