import { beforeAll, describe, expect, test } from 'vitest';
import { loadMessages } from '#server/i18n/translator.ts';
import type { en } from '#shared/i18n/english-messages.ts';
import { anAdministrator, aPerson, aSchool, PASSWORD } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { linkIn } from '../mail-server.ts';
import { emailsSentTo } from '../sent-emails.ts';
import { DESKTOP, type District, looks, open, openDistrict, PHONE, type Visit } from './browser.ts';
import { misfits } from './check-screens.ts';
import { expectNoBarriers, inFull } from './expect-accessible.ts';

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

async function openSettings(visit: Visit, { users, web } = english) {
  if (visit.look.device === 'phone') {
    await visit.press(visit.button(web.menu));
    await visit.press(visit.page.getByRole('menuitem', { name: users.settings }));
  } else await visit.press(visit.button(users.settings));
  await visit.page.getByLabel(users.language, { exact: true }).waitFor();
}

async function chooseInSettings(visit: Visit, language: string, texts = english) {
  await openSettings(visit, texts);
  await visit.page.getByLabel(texts.users.language, { exact: true }).selectOption(language);
  await visit.press(visit.button(texts.users.languageSave));
}

async function signIn(visit: Visit, email: string, { users } = english) {
  await visit.page.getByLabel(users.email, { exact: true }).fill(email);
  await visit.page.getByLabel(users.password, { exact: true }).fill(PASSWORD);
  await visit.page.keyboard.press('Enter');
}

let registered = 0;

describe.each(looks(PHONE))('on a $device', (look) => {
  test('a Spanish browser shows the sign-in page in Spanish, and can switch to English and back', async () => {
    const visit = await open(district, { look, ...SPANISH });
    await waitForLanguage(visit, 'es');
    await heading(visit, spanish.auth.signInTitle).waitFor();
    await inFull(async () => expect(await misfits(visit)).toEqual([]));
    await expectNoBarriers(visit.page);
    await visit.page.getByLabel(spanish.users.email, { exact: true }).fill('maria@example.org');
    await visit.press(visit.button('English'));
    await waitForLanguage(visit, 'en');
    expect(await visit.page.getByLabel(english.users.email, { exact: true }).inputValue()).toBe(
      'maria@example.org',
    );
    await inFull(async () => {
      expect(await misfits(visit)).toEqual([]);
      await expectNoBarriers(visit.page);
    });
    await visit.page.reload();
    await heading(visit, english.auth.signInTitle).waitFor();
    await visit.press(visit.button('Español'));
    await heading(visit, spanish.auth.signInTitle).waitFor();
  });

  test("a user's language setting also applies when they sign in on another device", async () => {
    const maria = await aVolunteer();
    const visit = await open(district, { look, as: maria, ...ENGLISH });
    await chooseInSettings(visit, 'es');
    await waitForLanguage(visit, 'es');
    const other = await open(district, { look, ...ENGLISH });
    const pages: string[] = [];
    other.page.on('request', (request) => {
      if (request.isNavigationRequest()) pages.push(new URL(request.url()).pathname);
    });
    await waitForLanguage(other, 'en');
    await signIn(other, maria.email);
    await waitForLanguage(other, 'es');
    await openSettings(other, spanish);
    expect(pages).toEqual(['/']);
    // A label of React Aria itself.
    await other.page
      .getByRole('button', { name: 'Descartar', exact: true })
      .first()
      .waitFor({ state: 'attached' });
    await inFull(async () => {
      expect(await misfits(other)).toEqual([]);
      await expectNoBarriers(other.page);
    });
    await other.page.getByLabel(spanish.users.language, { exact: true }).selectOption('');
    await other.press(other.button(spanish.users.languageSave));
    await waitForLanguage(other, 'en');
    const { body } = await district.call('GET /api/profile', { token: maria.token });
    expect(body.user.language).toBeNull();
  });
});

fullTest('the language switch, sign-in and the language setting work by keyboard', async () => {
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

fullTest('an account registered in Spanish stays in Spanish', async () => {
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

fullTest('the page of an emailed password link can be switched to the other language', async () => {
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

fullTest('a district that offers only English is in English for everyone', async () => {
  const own = await openDistrict();
  const ada = await anAdministrator(own);
  await own.call('PUT /api/admin/settings', { token: ada.token, body: { languages: ['en'] } });
  const visit = await open(own, { look: PHONE, ...SPANISH });
  await heading(visit, english.auth.signInTitle).waitFor();
  expect(await visit.button('Español').count()).toBe(0);
});
