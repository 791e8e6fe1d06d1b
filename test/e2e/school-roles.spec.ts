import { beforeAll, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import type { GrantRole } from '#shared/permissions.ts';
import {
  aGrant,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aPersonWithRole,
  aSchool,
} from '../builders.ts';
import { type District, open, openDistrict, toAdminPanel, type Visit } from './browser.ts';
import { words } from './spoken-language.ts';

let district: District;
let lincoln: { id: number; name: string };
let harbor: { id: number; name: string };
let ada: { token: string };
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  harbor = await aSchool(district, { name: 'Harbor Middle School' });
  const today = dayIn('UTC', district.clock.now());
  const vera = await aPerson(district, {
    schools: [lincoln, harbor],
    firstName: 'Vera',
    lastName: 'Lindholm',
  });
  for (const school of [lincoln, harbor]) {
    const activity = await anActivity(district, { school, name: `Book fair at ${school.name}` });
    await anEntry(district, { by: vera, activity, hours: 2, date: today });
  }
});

const tab = (name: string) => visit.page.getByRole('tab', { name: new RegExp(`^${name}`) });
const row = (name: string) => visit.page.getByRole('row').filter({ hasText: name });
const shown = (name: string | RegExp) =>
  visit.page.getByRole('button', { name, exact: true }).locator('visible=true');

async function openPanel(by: { token: string }) {
  visit = await open(district, { as: by });
  await toAdminPanel(visit);
}

/** Replaces a user's roles. */
const setGrants = (id: number, grants: readonly { role: GrantRole; schoolId: number | null }[]) =>
  district.call(`PUT /api/admin/users/${id}`, { token: ada.token, body: { grants } });

test("revoking a user's role closes their open Admin Panel with a message", async () => {
  const holder = await aPersonWithRole(district, 'coordinator', lincoln, { schools: [lincoln] });
  await openPanel(holder);
  await row('Lindholm').first().waitFor();
  // A late request of the screen would close the panel before the press.
  await visit.page.waitForLoadState('networkidle');
  expect((await setGrants(holder.id, [])).status).toBe(200);
  visit.expectFailure(/^403 GET /);
  await visit.press(tab(words.categories.title));
  await visit.sees(words.web.rightsGone);
  await visit.page.getByRole('tab', { name: words.web.logTime }).waitFor();
  await visit.page.reload();
  await visit.page.getByRole('tab', { name: words.web.logTime }).waitFor();
  expect(await shown(words.web.admin).count()).toBe(0);
});

test('an administrator of one school and auditor of another can change things at the first only', async () => {
  const holder = await aPersonWithRole(district, 'school-admin', lincoln);
  await aGrant(district, holder, 'auditor', harbor);
  await openPanel(holder);
  await visit.page
    .getByText('School administrator at Lincoln Elementary · Auditor at Harbor Middle School')
    .waitFor();
  await visit.press(tab(words['time-entries'].title));
  const schools = visit.page.getByLabel(words.schools.filter);
  await schools.selectOption('Lincoln Elementary');
  await shown(words['time-entries'].logFor).waitFor();
  await expect.poll(() => shown(/^Delete/).count()).toBe(1);
  await schools.selectOption('Harbor Middle School');
  await row('Book fair at Harbor').waitFor();
  await expect.poll(() => shown(words['time-entries'].logFor).count()).toBe(0);
  await expect.poll(() => shown(/^Delete/).count()).toBe(0);
});

test("moving a user's role to another school keeps their Admin Panel open with that school", async () => {
  const holder = await aPersonWithRole(district, 'school-admin', lincoln);
  await openPanel(holder);
  await row('Lindholm').first().waitFor();
  await visit.page.waitForLoadState('networkidle');
  await setGrants(holder.id, [{ role: 'auditor', schoolId: harbor.id }]);
  visit.expectFailure(/^404 GET /);
  await visit.press(tab(words.activities.title));
  await visit.sees(words.web.rightsChanged);
  await visit.page.getByText('Auditor at Harbor Middle School').waitFor();
  await row('Book fair at Harbor').waitFor();
  expect(await shown(words.activities.add).count()).toBe(0);
});
