import { expect, test } from 'vitest';
import { anAdministrator } from '../builders.ts';
import { startMailServer } from '../mail-server.ts';
import { DESKTOP, open, openDistrict, toAdminPanel, type VisitOptions } from './browser.ts';
import { words } from './spoken-language.ts';

async function aDistrict(environment: Record<string, string> = {}) {
  const district = await openDistrict({ DISTRICT_NAME: '', SUPPORT_EMAIL: '', ...environment });
  const ada = await anAdministrator(district);
  const settings = async (options: VisitOptions = {}) => {
    const visit = await open(district, { as: ada, ...options });
    await toAdminPanel(visit);
    if (visit.look.device === 'phone') {
      await visit.press(visit.button(words.web.system).locator('visible=true'));
      await visit.press(visit.button(words.operations.settingsOpen));
    } else await visit.press(visit.button(words.web.districtSettings).locator('visible=true'));
    await visit.page.getByLabel(words['district-settings'].settingsName).waitFor();
    return visit;
  };
  return { district, ada, settings };
}

test('an administrator names the district, sets up email, and sends a test email', async () => {
  const server = await startMailServer();
  const { ada, settings } = await aDistrict();
  const visit = await settings({ look: DESKTOP });
  const { page, press, button } = visit;
  await page.getByLabel(words['district-settings'].settingsName).fill('Cedar Valley');
  await press(button(words['district-settings'].settingsSaveDistrict));
  await visit.sees(words.retention.saved);
  await press(page.getByRole('radio', { name: words['district-settings'].registrationInvite }));
  await press(button(words['district-settings'].settingsSaveAccess));
  await press(button(words['district-settings'].postServerEnter));
  await page.getByLabel(words['district-settings'].postHost, { exact: true }).fill('127.0.0.1');
  await page.getByLabel(words['district-settings'].postPort, { exact: true }).fill('1');
  await page.getByLabel(words['district-settings'].postSecurity, { exact: true }).selectOption('none');
  await press(button(words['district-settings'].postServerSave));
  visit.expectFailure('409 POST /api/admin/settings/test-mail');
  await press(button(words['district-settings'].postTest));
  await page.getByText("We couldn't reach a mail server at 127.0.0.1").first().waitFor();
  await press(button(words['district-settings'].postServerChange));
  await page.getByLabel(words['district-settings'].postHost, { exact: true }).fill('127.0.0.1');
  await page.getByLabel(words['district-settings'].postPort, { exact: true }).fill(String(server.port));
  await page.getByLabel(words['district-settings'].postSecurity, { exact: true }).selectOption('none');
  await press(button(words['district-settings'].postServerSave));
  await press(button(words['district-settings'].postTest));
  await page.getByText(`accepted a test email to ${ada.email}`).first().waitFor();
  expect((await server.letters())[0]?.subject).toBe('Test email from Cedar Valley');
});
