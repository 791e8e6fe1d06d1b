import { beforeAll, describe, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAddress, aSchool, NONE_VERIFIED, PASSWORD } from '../builders.ts';
import { type District, type Look, looks, open, openDistrict, PHONE, type Visit } from './browser.ts';
import { words } from './spoken-language.ts';

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

describe.each(looks(PHONE))('on a $device in $scheme colors', (look) => {
  test('a volunteer registers, logs hours in three taps, edits, deletes, undoes, and signs out', async () => {
    const visit = await open(district, { look, motion: true });
    await register(visit, anAddress());
    await visit.sees('Welcome, Vera! Your account is ready.');
    await visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();
    const token = await visit.stored('token');

    await logTwoHours(visit);
    await undoInTheCard(visit);
    await logTwoHours(visit);

    await visit.press(visit.page.getByRole('tab', { name: words['time-entries'].recentActivity }));
    await visit.sees(`Today · 2 h${NONE_VERIFIED}`);
    await edit(visit);
    await deleteAndUndo(visit);

    // A reload stays on the same screen.
    await visit.page.reload();
    await visit.sees(`Today · 2.5 h${NONE_VERIFIED}`);
    expect(await visit.stored('token')).toBe(token);
    await visit.press(visit.page.getByRole('tab', { name: words.web.logTime }));
    await visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();
    expect(await visit.stored('selectedSchoolId')).toMatch(/^\d+$/);

    await logOut(visit, look);
    await visit.page.getByRole('heading', { name: words.auth.signIn }).waitFor();
    expect(await visit.stored('token')).toBeNull();
    expect(await visit.stored('selectedSchoolId')).toBeNull();
    await visit.page.reload();
    await visit.page.getByRole('heading', { name: words.auth.signIn }).waitFor();
    const profile = () => district.call('GET /api/profile', { token: token ?? '' });
    await expect.poll(async () => (await profile()).status).toBe(401);
  });
});

async function register(visit: Visit, email: string) {
  const { page, press } = visit;
  await press(visit.button(words.users.toRegister));
  await page.getByLabel(words.users.firstName).fill('Vera');
  await page.getByLabel(words.users.lastName).fill('Volt');
  await page.getByLabel(words.users.email).fill(email);
  await page.getByLabel(words.users.password, { exact: true }).fill(PASSWORD);
  await page.getByLabel(words.users.confirmPassword).fill(PASSWORD);
  await press(page.getByRole('checkbox', { name: 'Lincoln Elementary' }));
  await press(visit.button(words.users.register));
}

async function logTwoHours(visit: Visit) {
  const { page, press, presses } = visit;
  await page.getByRole('heading', { name: words.activities.heading }).waitFor();
  const before = presses();
  await press(page.getByRole('button', { name: /^Book fair/ }).first());
  await press(page.getByRole('radio', { name: /^2 h/ }));
  await press(visit.button('Log 2 hours'));
  await visit.sees('2h logged for Book fair today!');
  expect(presses() - before).toBe(3);
}

async function undoInTheCard(visit: Visit) {
  await visit.press(visit.button('Undo: 2 h for Book fair'));
  await visit.sees('Removed: 2 h for Book fair');
  await visit.sees(words['time-entries'].noneThisYear);
}

async function edit(visit: Visit) {
  const { page, press } = visit;
  await press(page.getByRole('button', { name: /^Edit Book fair, 2 h/ }));
  const dialog = page.getByRole('dialog', { name: words['time-entries'].editTitle });
  await press(dialog.getByRole('button', { name: words.web.more }));
  await press(dialog.getByRole('button', { name: words.web.more }));
  await dialog.getByLabel(words['time-entries'].notes).fill('Sold 12 books & a map');
  await press(dialog.getByRole('button', { name: words.web.save }));
  await visit.sees(words['time-entries'].updated);
  await visit.sees(`Today · 2.5 h${NONE_VERIFIED}`);
  await visit.sees('Sold 12 books & a map');
}

async function deleteAndUndo(visit: Visit) {
  const { page, press } = visit;
  await press(page.getByRole('button', { name: /^Delete Book fair, 2.5 h/ }));
  const question = page.getByRole('alertdialog', { name: words['time-entries'].deleteTitle });
  await question.getByText(words['time-entries'].confirmDelete, { exact: true }).waitFor();
  await press(question.getByRole('button', { name: words['time-entries'].deleteAction }));
  await visit.sees(words['time-entries'].deleted);
  await visit.sees(words['time-entries'].deletedRow);
  await visit.sees(`Today · 0 h${NONE_VERIFIED}`);
  await press(page.getByRole('button', { name: /^Undo: restore Book fair, 2.5 h/ }));
  await visit.sees(words['time-entries'].restored);
  await visit.sees(`Today · 2.5 h${NONE_VERIFIED}`);
  await visit.misses(words['time-entries'].deletedRow);
}

async function logOut(visit: Visit, { device }: Look) {
  if (device === 'desktop') return visit.press(visit.button(words.auth.logout));
  await visit.press(visit.button(words.web.menu));
  await visit.press(visit.page.getByRole('menuitem', { name: words.auth.logout }));
}
