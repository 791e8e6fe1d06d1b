import { beforeEach, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import {
  DESKTOP,
  type District,
  type Look,
  looks,
  open,
  openDistrict,
  PHONE,
  toAdminPanel,
  type Visit,
} from './browser.ts';
import { misfits } from './check-screens.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

const own = words.merging;

let district: District;

let ada: { id: number; token: string };

let anna: { id: number };

beforeEach(async () => {
  district = await openDistrict();
  const [lincoln, adams] = [
    await aSchool(district, { name: 'Lincoln Elementary' }),
    await aSchool(district, { name: 'Adams Elementary' }),
  ];
  ada = await anAdministrator(district);
  const activity = await anActivity(district, { school: lincoln, name: 'Library' });
  anna = await aPerson(district, {
    firstName: 'Anna',
    lastName: 'Lee',
    email: 'anna.lee@maplegrove.example',
    schools: [lincoln],
  });
  const ann = await aPerson(district, {
    firstName: 'Ann',
    lastName: 'Lee',
    email: 'ann@work.example',
    schools: [lincoln, adams],
  });
  for (const date of ['2026-02-02', '2026-02-03'])
    await anEntry(district, { by: ann, activity, hours: 1.5, date });
  const zoe = await aPerson(district, { firstName: 'Zoe', lastName: 'Walker', schools: [lincoln] });
  const { db } = district.deps.database;
  await db
    .updateTable('users')
    .set({ is_walk_in: 1, password_hash: null })
    .where('id', '=', zoe.id)
    .execute();
  await db
    .updateTable('users')
    .set({ last_login_at: district.clock.now() })
    .where('id', '=', anna.id)
    .execute();
  await anEntry(district, { by: zoe, activity, hours: 4, date: '2026-02-04' });
  for (const [email, school] of [
    ['zwalker@maplegrove.example', lincoln],
    ['zoe@adams.example', adams],
  ] as const)
    await aPerson(district, { firstName: 'Zoe', lastName: 'Walker', email, schools: [school] });
});

async function toDuplicates(look: Look): Promise<Visit> {
  const visit = await open(district, { look, as: ada });
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: words.users.title }));
  await visit.press(visit.button(words.users.findDuplicates));
  await visit.sees('ann@work.example');
  return visit;
}

const entriesOf = async ({ id }: { id: number }) =>
  (
    await district.deps.database.db
      .selectFrom('time_entries')
      .select('id')
      .where('user_id', '=', id)
      .execute()
  ).length;

test.each(looks(DESKTOP))(
  'an administrator merges two accounts and undoes the merge on a $device',
  async (look) => {
    const visit = await toDuplicates(look);
    const { page, press, button, sees } = visit;
    await sees('4 pairs');
    await sees(own.reasonAlike);
    await inFull(async () => {
      await expectAccessible(page);
      expect(await misfits(visit)).toEqual([]);
    });

    await press(button(/^Compare Anna Lee/));
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 time entries from the other account will move to Anna Lee').waitFor();
    await inFull(async () => {
      await expectAccessible(page);
      expect(await misfits(visit)).toEqual([]);
    });
    // Escape changes nothing.
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await press(button(/^Compare Anna Lee/));
    await dialog.getByRole('group', { name: own.email }).getByText('ann@work.example').click();
    await press(dialog.getByRole('button', { name: own.merge }));
    await sees('Merged into Anna Lee');
    await expect.poll(() => entriesOf(anna)).toBe(2);
    await sees('Ann Lee into Anna Lee');

    await press(button('Undo the merge of Ann Lee into Anna Lee'));
    await inFull(() => expectAccessible(page));
    await press(page.getByRole('alertdialog').getByRole('button', { name: own.undo }));
    await sees('Ann Lee has a separate account again');
    await expect.poll(() => entriesOf(anna)).toBe(0);
  },
);

fullTest('two people marked as different are listed again after Undo', async () => {
  const visit = await toDuplicates(DESKTOP);
  const { page, press, button, sees } = visit;
  await press(
    button(/: not the same person$/)
      .filter({ hasText: own.areTwo })
      .first(),
  );
  await sees('3 pairs');
  await press(page.getByRole('status').getByRole('button', { name: words.web.undo }));
  await sees('4 pairs');
});

fullTest('a guest volunteer is merged from their form', async () => {
  const visit = await open(district, { look: PHONE, as: ada });
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: words.users.title }));
  await visit.press(visit.page.getByRole('button', { name: /^Zoe Walker.*Guest \(no account\)/ }));
  await visit.press(visit.button(own.mergeAnother));
  const dialog = visit.page.getByRole('dialog', { name: 'Merge Zoe Walker with' });
  await dialog.getByRole('searchbox').fill('zwalker');
  await visit.press(dialog.getByRole('button', { name: /zwalker/ }));
  const question = visit.page.getByRole('dialog', { name: own.mergeTitle });
  await question.getByText('1 time entry from the other account').waitFor();
  await expectAccessible(visit.page);
  await visit.press(question.getByRole('button', { name: own.merge }));
  await visit.sees('Merged into Zoe Walker');
});
