import { beforeAll, describe, expect, test } from 'vitest';
import { dayIn } from '#base/calendar-date.ts';
import { aCategory, anActivity, anAddress, aSchool, PASSWORD } from '../builders.ts';
import { type District, LOOKS, type Look, open, openDistrict, type Visit } from './browser.ts';

let district: District;

beforeAll(async () => {
  district = await openDistrict();
  const lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  await aSchool(district, { name: 'Cedar Middle' });
  const events = await aCategory(district, { school: lincoln, name: 'Events', color: '#b23a48' });
  const today = dayIn('UTC', district.clock.now());
  await anActivity(district, { school: lincoln, category: events, name: 'Book fair', activeFrom: today });
  await anActivity(district, { school: lincoln, name: 'Garden club' });
});

describe.each(LOOKS)('on a $device in $scheme colours', (look) => {
  test('a volunteer registers, logs hours in three taps, mends, deletes, undoes, and leaves', async () => {
    const visit = await open(district, { look, motion: true });
    await register(visit, anAddress());
    await visit.sees('Welcome, Vera! Your account is ready.');
    await visit.page.getByRole('heading', { name: 'What did you help with?' }).waitFor();
    const token = await visit.stored('token');

    await logTwoHours(visit);
    await undoInTheNotice(visit);
    await logTwoHours(visit);

    await visit.press(visit.page.getByRole('tab', { name: 'Recent Activity' }));
    await visit.sees('Today · 2 h');
    await edit(visit);
    await deleteAndUndo(visit);

    // A reload stays on the same screen.
    await visit.page.reload();
    await visit.sees('Today · 2.5 h');
    expect(await visit.stored('token')).toBe(token);
    await visit.press(visit.page.getByRole('tab', { name: 'Log Time' }));
    await visit.page.getByRole('heading', { name: 'What did you help with?' }).waitFor();
    expect(await visit.stored('selectedSchoolId')).toMatch(/^\d+$/);

    await logOut(visit, look);
    await visit.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await visit.stored('token')).toBeNull();
    expect(await visit.stored('selectedSchoolId')).toBeNull();
    await visit.page.reload();
    await visit.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect((await district.call('GET /api/profile', { token: token ?? '' })).status).toBe(401);
  });
});

async function register(visit: Visit, email: string) {
  const { page, press } = visit;
  await press(visit.button("Don't have an account? Create one"));
  await page.getByLabel('First Name').fill('Vera');
  await page.getByLabel('Last Name').fill('Volt');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password').fill(PASSWORD);
  await press(page.getByRole('checkbox', { name: 'Lincoln Elementary' }));
  await press(visit.button('Create account'));
}

async function logTwoHours(visit: Visit) {
  const { page, press, presses } = visit;
  await page.getByRole('heading', { name: 'What did you help with?' }).waitFor();
  const before = presses();
  await press(page.getByRole('button', { name: /^Book fair/ }).first());
  await press(page.getByRole('radio', { name: /^2 h/ }));
  await press(visit.button('Log 2 hours'));
  await visit.sees('2h logged for Book fair today!');
  expect(presses() - before).toBe(3);
}

async function undoInTheNotice(visit: Visit) {
  await visit.press(
    visit.page.getByRole('region', { name: 'Notices' }).getByRole('button', { name: 'Undo' }),
  );
  await visit.sees('Undone: 2 h for Book fair are not logged');
  await visit.sees('Nothing logged this school year yet.');
}

async function edit(visit: Visit) {
  const { page, press } = visit;
  await press(page.getByRole('button', { name: /^Edit Book fair, 2 h/ }));
  const dialog = page.getByRole('dialog', { name: 'Edit Time Entry' });
  await press(dialog.getByRole('button', { name: 'More' }));
  await press(dialog.getByRole('button', { name: 'More' }));
  await dialog.getByLabel('Notes').fill('Sold 12 books & a map');
  await press(dialog.getByRole('button', { name: 'Save changes' }));
  await visit.sees('Time entry updated successfully');
  await visit.sees('Today · 2.5 h');
  await visit.sees('Sold 12 books & a map');
}

async function deleteAndUndo(visit: Visit) {
  const { page, press } = visit;
  await press(page.getByRole('button', { name: /^Delete Book fair, 2.5 h/ }));
  const question = page.getByRole('alertdialog', { name: 'Delete time entry' });
  await question.getByText('Are you sure you want to delete this time entry?', { exact: true }).waitFor();
  await press(question.getByRole('button', { name: 'Delete' }));
  await visit.sees('Time entry deleted successfully');
  await visit.sees('Deleted.');
  await visit.sees('Today · 0 h');
  await press(page.getByRole('button', { name: /^Undo: bring back Book fair, 2.5 h/ }));
  await visit.sees('Time entry restored');
  await visit.sees('Today · 2.5 h');
  await visit.misses('Deleted.');
}

async function logOut(visit: Visit, { device }: Look) {
  if (device === 'desktop') return visit.press(visit.button('Logout'));
  await visit.press(visit.button('Menu'));
  await visit.press(visit.page.getByRole('menuitem', { name: 'Logout' }));
}
