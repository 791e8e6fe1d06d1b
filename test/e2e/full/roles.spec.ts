import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { anAdministrator, aPerson, aPersonWithRole, aSchool } from '../../builders.ts';
import {
  DESKTOP,
  type District,
  type Look,
  open,
  openDistrict,
  PHONE,
  toAdminPanel,
  type Visit,
} from '../browser.ts';
import { expectAccessible } from '../expect-accessible.ts';
import { hasFocus, tabTo } from '../keyboard.ts';
import { words } from '../spoken-language.ts';

let district: District;
let lincoln: { id: number; name: string };
let roosevelt: { id: number; name: string };
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let maria: Awaited<ReturnType<typeof aPerson>>;
let visit: Visit;

const page = () => visit.page;
const field = (label: string) => page().getByLabel(label, { exact: true });
const roles = () => page().getByRole('group', { name: words.users.grantsTitle });
const roleOf = (at: number) => roles().getByRole('combobox', { name: words.users.role }).nth(at);
const schoolOf = (at: number) => roles().getByRole('combobox', { name: words.users.grantSchool }).nth(at);
const save = () => visit.press(page().getByRole('button', { name: words.web.save, exact: true }));
const row = (name: string) => page().getByRole('row').filter({ hasText: name });
const question = () => page().getByRole('alertdialog', { name: words.users.widenTitle });
const COORDINATOR = /^Can edit activities, .* at Lincoln Elementary\. Can also see volunteers, /;

async function openUsers(look: Look) {
  district = await openDistrict({ REGISTRATION: 'approval' });
  ada = await anAdministrator(district);
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  roosevelt = await aSchool(district, { name: 'Roosevelt High' });
  maria = await aPerson(district, { schools: [lincoln], firstName: 'Maria', lastName: 'Ruiz' });
  visit = await open(district, { look, as: ada });
  await toAdminPanel(visit);
  await page().getByRole('heading', { name: words.users.title, exact: true }).waitFor();
}

async function openMaria() {
  await visit.press(page().getByRole('button', { name: 'Maria Ruiz' }));
  await roles().waitFor();
}

async function grantsOf(person: { id: number }) {
  const { body } = await district.call('GET /api/admin/users?limit=100', { token: ada.token });
  const found = body.users.find(({ id }: { id: number }) => id === person.id);
  return found.grants.map(({ role, school }: { role: string; school: { name: string } | null }) => [
    role,
    school?.name ?? null,
  ]);
}

describe.each<Look>([DESKTOP, PHONE])('roles at schools on a $device', (look) => {
  beforeEach(() => openUsers(look));

  test('are granted after a question if they administer a school or the district', async () => {
    await openMaria();
    await visit.press(page().getByRole('button', { name: words.users.grantAdd }));
    await roleOf(0).selectOption('school-admin');
    await schoolOf(0).selectOption(lincoln.name);
    await save();
    await question()
      .getByText(/^Maria Ruiz will be a school administrator of Lincoln Elementary\. Can add/)
      .waitFor();
    await expectAccessible(page());
    await visit.press(question().getByRole('button', { name: words.web.cancel }));
    await question().waitFor({ state: 'hidden' });
    expect(await grantsOf(maria)).toEqual([]);
    await field(words.users.firstName).fill('');
    await save();
    // Errors of the form are shown before the question.
    await page().getByText(words.users.namesRequired).first().waitFor();
    await field(words.users.firstName).fill('Maria');
    await save();
    await visit.press(question().getByRole('button', { name: words.users.widenConfirm }));
    await row('Maria Ruiz').getByText(words.users.roleSchoolAdmin).waitFor();
    expect(await grantsOf(maria)).toEqual([['school-admin', lincoln.name]]);

    await openMaria();
    await field(words.users.lastName).fill('Ruiz-Diaz');
    await save();
    // A change that grants nothing does not ask.
    await row('Maria Ruiz-Diaz').waitFor();
    await visit.press(page().getByRole('button', { name: 'Maria Ruiz-Diaz' }));
    await page().locator('select[name="role"]').selectOption('admin');
    await visit.sees(words.users.grantsOfAdmin);
    await save();
    await question()
      .getByText(/will be a district administrator/)
      .waitFor();
    await visit.press(question().getByRole('button', { name: words.users.widenConfirm }));
    await row('Maria Ruiz-Diaz').getByText(words.users.roleAdmin).waitFor();
  });

  test('filter the list of users, also together with a school', async () => {
    await aPersonWithRole(district, 'coordinator', lincoln, {
      firstName: 'Cora',
      lastName: 'Lin',
      schools: [lincoln],
    });
    await aPersonWithRole(district, 'coordinator', roosevelt, { firstName: 'Ron', lastName: 'Velt' });
    await page().reload();
    await row('Cora Lin').waitFor();
    if (look.device === 'phone') await visit.press(visit.button(words.web.filters));
    const role = page().getByRole('combobox', { name: words.users.role });
    await role.selectOption('coordinator');
    await row('Maria Ruiz').waitFor({ state: 'hidden' });
    await visit.sees('2 users');
    await expectAccessible(page());
    await page().getByRole('combobox', { name: words.users.filterSchool }).selectOption(roosevelt.name);
    await row('Cora Lin').waitFor({ state: 'hidden' });
    await row('Ron Velt').waitFor();
    await role.selectOption('auditor');
    await visit.sees(words.users.noneMatch);
    await visit.press(visit.button(words.users.showEverybody));
    await row('Maria Ruiz').waitFor();
    await role.selectOption('volunteer');
    await row('Cora Lin').waitFor({ state: 'hidden' });
    await row('Maria Ruiz').waitFor();
  });

  test('are granted with an invitation or an approval', async () => {
    const { db } = district.deps.database;
    const ben = await aPerson(district, { firstName: 'Ben', lastName: 'Okafor', isProven: true });
    const at = district.clock.now();
    await db
      .insertInto('user_schools')
      .values({ user_id: ben.id, school_id: lincoln.id, status: 'pending', created_at: at })
      .execute();
    const part = (name: RegExp) =>
      visit.press(
        page().getByRole('navigation', { name: words.users.sections }).getByRole('button', { name }),
      );
    await part(/^Requests/);
    await visit.press(page().getByRole('button', { name: 'Approve as…: Ben Okafor, Lincoln Elementary' }));
    const dialog = page().getByRole('dialog', { name: words.users.approveAsTitle });
    await visit.press(dialog.getByRole('button', { name: words.users.approve, exact: true }));
    await dialog.getByText(words.users.grantRoleRequired).last().waitFor();
    await dialog.getByRole('combobox').selectOption('coordinator');
    await dialog.getByText(COORDINATOR).waitFor();
    await expectAccessible(page());
    await visit.press(dialog.getByRole('button', { name: words.users.approve, exact: true }));
    await visit.sees('Ben Okafor can now see Lincoln Elementary');
    expect(await grantsOf(ben)).toEqual([['coordinator', lincoln.name]]);

    await part(/^Invitations/);
    await visit.press(visit.button(words.users.inviteAdd).first());
    await field(words.users.email).fill('nia@example.org');
    await visit.press(page().getByRole('checkbox', { name: roosevelt.name }));
    await visit.press(page().getByRole('button', { name: words.users.grantAdd }));
    await roleOf(0).selectOption('auditor');
    await schoolOf(0).selectOption(words.users.everySchool);
    await visit.press(visit.button(words.users.inviteSend));
    await page().getByRole('listitem').getByText(words.users.roleAuditor).waitFor();
    const { body } = await district.call('GET /api/admin/invites', { token: ada.token });
    expect(body.invites[0].grants).toEqual([{ role: 'auditor', school: null }]);
  });
});

describe("the roles in a user's form", () => {
  beforeEach(() => openUsers(DESKTOP));

  test('show an error at a row whose school was deleted in the meantime', async () => {
    await openMaria();
    await visit.press(page().getByRole('button', { name: words.users.grantAdd }));
    await roleOf(0).selectOption('coordinator');
    await schoolOf(0).selectOption(roosevelt.name);
    await district.call(`DELETE /api/admin/schools/${roosevelt.id}`, { token: ada.token });
    visit.expectFailure(`404 PUT /api/admin/users/${maria.id}`);
    await save();
    await roles().getByText(words.schools.notFound).waitFor();
    expect(await hasFocus(schoolOf(0))).toBe(true);
  });

  test('are granted by keyboard alone', async () => {
    const press = async (target: Locator, key: string) => {
      await tabTo(page(), target);
      await page().keyboard.press(key);
    };
    await press(page().getByRole('button', { name: 'Maria Ruiz' }), 'Enter');
    await roles().waitFor();
    await press(page().getByRole('button', { name: words.users.grantAdd }), 'Enter');
    await page().keyboard.type('Coord');
    await tabTo(page(), schoolOf(0));
    await page().keyboard.type('Linc');
    await roles().getByText(COORDINATOR).waitFor();
    await press(page().getByRole('button', { name: words.web.save, exact: true }), 'Enter');
    await row('Maria Ruiz').getByText(words.users.roleCoordinator).waitFor();
  });
});
