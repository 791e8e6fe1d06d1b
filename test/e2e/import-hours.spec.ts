import { beforeEach, expect, test } from 'vitest';
import { processAllImports } from '#features/imports/hours/server/jobs.ts';
import { anActivity, anAdministrator, aPerson, aSchool } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import {
  DESKTOP,
  type District,
  type Look,
  looks,
  open,
  openDistrict,
  PHONE,
  pressAction,
  toAdminPanel,
  type Visit,
} from './browser.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { opened } from './keyboard.ts';
import { words } from './spoken-language.ts';

const own = words.hours;

let district: District;

let school: { id: number; name: string };

let ada: { id: number; token: string };

beforeEach(async () => {
  district = await openDistrict();
  school = await aSchool(district, { name: 'Lincoln Elementary' });
  ada = await anAdministrator(district);
  for (const lastName of ['Ruiz', 'Okafor', 'Lee']) {
    const firstName = lastName === 'Lee' ? 'Kim' : 'Maria';
    await aPerson(district, {
      firstName,
      lastName,
      email: `${lastName.toLowerCase()}@maplegrove.example`,
      schools: [school],
    });
  }
  await anActivity(district, { school, name: 'Library' });
});

async function toImport(look: Look): Promise<Visit> {
  const visit = await open(district, { look, as: ada, school });
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: words['time-entries'].title }));
  await visit.sees(words['time-entries'].noneInSchool);
  if (look.device === 'phone') await pressAction(visit, words['time-entries'].importHours);
  else await visit.press(visit.button(words['time-entries'].importHours));
  await visit.page.getByRole('heading', { name: own.title, exact: true }).waitFor();
  return visit;
}

const field = ({ page }: Visit, label: string) => page.getByLabel(label, { exact: true });

const FILE = [
  'Student Name,Activity/Project,Goal,Date,Hours',
  '"Ruiz, Maria",Library,x,3/2/2026,2:30',
  'Maria Okafor,Book Fair,x,3/2/2026,1',
  'Maria Okafor,Book Fair,x,3/2/2026,1',
  'Kim Li,Library,x,3/3/2026,1.5',
  'Kim Li,Library,x,soon,1.5',
].join('\n');

test.each(looks(DESKTOP))(
  'an administrator imports hours and undoes the import on a $device',
  async (look) => {
    const visit = await toImport(look);
    await field(visit, own.paste).fill(FILE);
    await visit.press(visit.button(own.readFile));

    await visit.sees('This looks like a file from x2VOL. Please check each column.');
    expect(await field(visit, '“Activity/Project” is').inputValue()).toBe('activity');
    await inFull(() => expectAccessible(visit.page));
    await visit.press(visit.button(own.next));

    await field(visit, 'Book Fair (2 rows)').selectOption('new');
    await field(visit, 'Kim Li (1 row)').selectOption('other');
    await visit.page.getByRole('searchbox').fill('lee');
    await visit.press(visit.button(/^Kim Lee/));
    expect(await field(visit, 'Kim Li (1 row)').inputValue()).toMatch(/^\d+$/);
    await inFull(() => expectAccessible(visit.page));
    await visit.press(visit.button(own.next));

    await visit.sees('From Mar 2, 2026 to Mar 3, 2026');
    await visit.sees("We couldn't read “soon” as a date");
    await visit.sees('New activity: Book Fair');
    await visit.press(visit.button('Duplicates 1'));
    await visit.sees('Same as row 3');
    await inFull(() => expectAccessible(visit.page));
    await visit.press(visit.page.getByRole('checkbox', { name: /^Skip 1 row/ }));
    await visit.press(visit.button('Import 3 entries'));
    await visit.page.getByText('3 entries imported, 5 hours').first().waitFor();

    await visit.press(visit.button(/^Undo the import from/));
    const question = await opened(visit.page, 'dialog', own.undoTitle);
    await visit.press(question.getByRole('button', { name: own.undo }));
    await visit.sees('Undone: 3 entries removed');
    await visit.press(visit.button(own.back));
    await visit.sees(words['time-entries'].noneInSchool);
  },
);

fullTest('an unfinished import survives Back and a reload, but not a sign-out', async () => {
  const visit = await toImport(DESKTOP);
  await field(visit, own.paste).fill(FILE);
  await visit.press(visit.button(own.readFile));
  await visit.sees('This looks like a file from x2VOL. Please check each column.');
  await visit.page.goBack();
  await visit.press(visit.button(words['time-entries'].importHours));
  expect(await field(visit, own.paste).inputValue()).toBe(FILE);
  await visit.page.reload();
  await visit.press(visit.button(words['time-entries'].importHours));
  expect(await field(visit, own.paste).inputValue()).toBe(FILE);
  expect(await visit.page.evaluate(() => sessionStorage.getItem('hours-import'))).toContain('Ruiz');
  await visit.page.evaluate(() => localStorage.removeItem('token'));
  await visit.page.evaluate(() => dispatchEvent(new StorageEvent('storage', { key: 'token' })));
  await expect.poll(() => visit.page.evaluate(() => sessionStorage.getItem('hours-import'))).toBeNull();
});

fullTest('an import of many rows shows its progress', async () => {
  const visit = await toImport(PHONE);
  const rows = Array.from(
    { length: 250 },
    (_, at) => `lee@maplegrove.example,Library,2025-${10 + (at % 3)}-${10 + (at % 15)},${1 + (at % 80) / 4}`,
  );
  await field(visit, own.paste).fill(['email,activity,date,hours', ...rows].join('\n'));
  await visit.press(visit.button(own.readFile));
  await visit.press(visit.button(own.next));
  await visit.press(visit.button('Import 240 entries'));
  await visit.page.getByText('0 of 240 entries imported').first().waitFor();
  await processAllImports(district.deps);
  await visit.page
    .getByText(/^240 entries imported/)
    .first()
    .waitFor();
});
