import { beforeEach, describe, expect, test } from 'vitest';
import { recordOf } from '../audit-log.ts';
import { anAdministrator, aPerson, aSchool } from '../builders.ts';
import {
  DESKTOP,
  type District,
  type Look,
  looks,
  open,
  openDistrict,
  toAdminPanel,
  type Visit,
} from './browser.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { hasFocus } from './keyboard.ts';
import { words } from './spoken-language.ts';

let district: District;
let lincoln: { id: number; name: string };
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
const COORDINATOR = /^Can edit activities, .* at Lincoln Elementary\. Can also see volunteers, /;

async function openUsers(look: Look) {
  district = await openDistrict({ REGISTRATION: 'approval' });
  ada = await anAdministrator(district);
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  await aSchool(district, { name: 'Roosevelt High' });
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

describe.each(looks(DESKTOP))('roles at schools on a $device', (look) => {
  beforeEach(() => openUsers(look));

  test("are granted in a user's form, with a sentence on what they allow", async () => {
    await openMaria();
    await visit.sees(words.users.grantsNone);
    await visit.press(page().getByRole('button', { name: words.users.grantAdd }));
    expect(await hasFocus(roleOf(0))).toBe(true);
    await save();
    await visit.sees(words.users.grantRoleRequired);
    expect(await hasFocus(roleOf(0))).toBe(true);
    await roleOf(0).selectOption('coordinator');
    await save();
    await visit.sees(words.users.grantSchoolRequired);
    expect(await hasFocus(schoolOf(0))).toBe(true);
    await schoolOf(0).selectOption(lincoln.name);
    await roles().getByText(COORDINATOR).waitFor();
    await inFull(() => expectAccessible(page()));
    await save();
    await row('Maria Ruiz').getByText(words.users.roleCoordinator).waitFor();
    expect(await grantsOf(maria)).toEqual([['coordinator', lincoln.name]]);
    await inFull(() => expectAccessible(page()));
    const [deed] = await recordOf(district, 'user', maria.id);
    expect(deed).toMatchObject({ after: { coordinatorOf: [lincoln.id] } });

    await openMaria();
    await visit.press(
      page().getByRole('button', {
        name: `Remove the role: ${words.users.roleCoordinator}, ${lincoln.name}`,
      }),
    );
    expect(await hasFocus(page().getByRole('button', { name: words.users.grantAdd }))).toBe(true);
    await save();
    await row('Maria Ruiz').getByText(words.users.roleUser).waitFor();
    expect(await grantsOf(maria)).toEqual([]);
  });
});

describe("the roles in a user's form", () => {
  beforeEach(() => openUsers(DESKTOP));

  test('do not overwrite a role that another administrator granted in the meantime', async () => {
    await openMaria();
    const change = { grants: [{ role: 'auditor', schoolId: lincoln.id }] };
    await district.call(`PUT /api/admin/users/${maria.id}`, { token: ada.token, body: change });
    await field(words.users.firstName).fill('Mary');
    visit.expectFailure(`409 PUT /api/admin/users/${maria.id}`);
    await save();
    await visit.press(visit.button(words.web.reload));
    await roles()
      .getByText(/^Can export hours at Lincoln/)
      .waitFor();
    expect(await grantsOf(maria)).toEqual([['auditor', lincoln.name]]);
  });
});
