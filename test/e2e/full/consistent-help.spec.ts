import { beforeAll, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anOutsideLetter, aPerson, aSchool, PASSWORD } from '../../builders.ts';
import { DESKTOP, type District, open, openDistrict, PHONE, toAdminPanel, type Visit } from '../browser.ts';
import { words } from '../spoken-language.ts';

let district: District;
let vera: Awaited<ReturnType<typeof aPerson>>;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let link: string;

beforeAll(async () => {
  district = await openDistrict({ SUPPORT_EMAIL: 'help@maplegrove.example', SMTP_URL: 'smtp://127.0.0.1:9' });
  const school = await aSchool(district, { name: 'Lincoln Elementary' });
  vera = await aPerson(district, { schools: [school] });
  ada = await anAdministrator(district);
  const activity = await anActivity(district, { school });
  link = `/?verify=${(await anOutsideLetter(district, { by: vera, activity })).token}`;
});

/** Returns the last two links of a screen in order. Expects that nothing follows them. */
async function helpOf({ page }: Visit): Promise<string[]> {
  const footer = page.locator('footer').last();
  await footer.getByText(words['district-settings'].accessibility).waitFor();
  const after = await footer.evaluate(
    (end) =>
      [...document.querySelectorAll('main a, main input, main h2')].filter(
        (one) =>
          (end.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && !end.contains(one),
      ).length,
  );
  expect(after).toBe(0);
  return (await footer.innerText()).match(/help@maplegrove\.example|Accessibility/g) ?? [];
}

const HELP = ['help@maplegrove.example', 'Accessibility'];

describe.each([PHONE, DESKTOP])('the help links on a $device', (look) => {
  test('are at the end of the screen, signed in or not', async () => {
    const outside = await open(district, { look });
    await outside.page.goto('/');
    await outside.button(words.auth.signIn).waitFor();
    expect(await helpOf(outside)).toEqual(HELP);
    await outside.press(outside.button(words.users.toRegister));
    expect(await helpOf(outside)).toEqual(HELP);
    for (const path of ['/?letter=K7QM', '/accessibility', link]) {
      await outside.page.goto(path);
      expect(await helpOf(outside), path).toEqual(HELP);
    }

    const inside = await open(district, { look, as: vera });
    for (const tab of [words.web.logTime, words.web.recentActivity, words.web.managePhotos]) {
      await inside.press(inside.page.getByRole('tab', { name: tab }));
      expect(await helpOf(inside), tab).toEqual(HELP);
    }
    const panel = await open(district, { look, as: ada });
    await toAdminPanel(panel);
    for (const tab of [words.users.title, words.analytics.title]) {
      await panel.press(panel.page.getByRole('tab', { name: tab }));
      expect(await helpOf(panel), tab).toEqual(HELP);
    }
  });

  test("open the accessibility page in the screen's language, and Back returns", async () => {
    const visit = await open(district, { look, locale: 'es-US' });
    const { page } = visit;
    await visit.press(page.getByRole('link', { name: 'Accesibilidad' }));
    await page.getByRole('heading', { level: 1, name: 'Accesibilidad' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Iniciar sesión' }).first().waitFor();
  });
});

describe('fields about the user', () => {
  test('declare their purpose for autofill', async () => {
    const visit = await open(district);
    const { page } = visit;
    const purposes = () =>
      page.evaluate(() =>
        Object.fromEntries(
          [...document.querySelectorAll<HTMLInputElement>('form input[name]:not([type="checkbox"])')].map(
            (one) => [one.name, one.autocomplete],
          ),
        ),
      );
    await visit.button(words.auth.signIn).waitFor();
    expect(await purposes()).toEqual({ email: 'username', password: 'current-password' });
    await visit.press(visit.button(words.users.toRegister));
    await visit.button(words.users.register).waitFor();
    expect(await purposes()).toMatchObject({
      firstName: 'given-name',
      lastName: 'family-name',
      email: 'username',
      password: 'new-password',
      confirmPassword: 'new-password',
    });
  });

  test('accept a pasted password', async () => {
    const visit = await open(district);
    const { page } = visit;
    await page.getByLabel(words.users.email).fill(vera.email);
    const password = page.getByLabel(words.users.password, { exact: true });
    await password.focus();
    const isTaken = await password.evaluate((field, text) => {
      const given = new DataTransfer();
      given.setData('text/plain', text);
      return field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: given, bubbles: true, cancelable: true }),
      );
    }, PASSWORD);
    expect(isTaken).toBe(true);
  });
});
