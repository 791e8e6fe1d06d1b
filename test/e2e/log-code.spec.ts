import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ensureLogAddress } from '#features/activities/log-codes/server/actions.ts';
import { transaction } from '#server/db/database.ts';
import { day } from '#shared/calendar-date.ts';
import { anActivity, aPerson, aSchool, PASSWORD } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { type District, looks, open, openDistrict, PHONE, testOnDesktop, type Visit } from './browser.ts';
import { misfits } from './check-screens.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

let district: District;

let cedar: Awaited<ReturnType<typeof aSchool>>;

let lincoln: Awaited<ReturnType<typeof aSchool>>;

let fair: Awaited<ReturnType<typeof anActivity>>;

let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  cedar = await aSchool(district, { name: 'Cedar Middle' });
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  await anActivity(district, { school: cedar, name: 'Chess night' });
  fair = await anActivity(district, { school: lincoln, name: 'Book fair' });
});

beforeEach(() => () => expect(visit.faults()).toEqual([]));

async function addressOf({ id }: { id: number }): Promise<string> {
  const { code } = await transaction(district.deps.database, (trx) =>
    ensureLogAddress(trx, district.deps, id),
  );
  return `/?log=${code}`;
}

const aMember = () => aPerson(district, { schools: [cedar, lincoln] });

const chosen = (name: string) => visit.page.getByRole('heading', { name, exact: true }).waitFor();

const atList = () => visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();

async function signIn({ email }: { email: string }): Promise<void> {
  await visit.page.getByLabel(words.users.email).fill(email);
  await visit.page.getByLabel(words.users.password, { exact: true }).fill(PASSWORD);
  await visit.press(visit.button(words.auth.signIn));
}

describe.each(looks(PHONE))('the link on a sign-in sheet, on a $device', (look) => {
  test('opens Log Time with its activity and school selected, so two taps log the hours', async () => {
    const stored = { selectedSchoolId: String(cedar.id) };
    visit = await open(district, { look, as: await aMember(), stored, path: await addressOf(fair) });
    await chosen('Book fair');
    expect(new URL(visit.page.url()).search).toBe('');
    expect(await visit.stored('selectedSchoolId')).toBe(String(lincoln.id));
    await inFull(() => expectAccessible(visit.page));
    await visit.press(visit.page.getByRole('radio', { name: '2 h' }));
    await visit.press(visit.button('Log 2 hours'));
    await visit.page
      .getByText(/^You logged 2 hours|2 hours/)
      .first()
      .waitFor();
    expect(visit.presses()).toBe(2);
  });

  test('is remembered through sign-in and a reload, and opens once', async () => {
    visit = await open(district, { look, path: await addressOf(fair) });
    await visit.page.getByRole('heading', { name: words.auth.signIn }).waitFor();
    await visit.page.reload();
    await signIn(await aMember());
    await chosen('Book fair');
    // Back and a reload go to the list, as usual.
    await visit.page.goBack();
    await atList();
    await visit.page.reload();
    await atList();
    expect(await visit.stored('logCode')).toBeNull();
  });

  fullTest('explains how to join its school, and opens the activity once the user is a member', async () => {
    const ben = await aPerson(district, { schools: [cedar] });
    visit = await open(district, { look, as: ben, path: await addressOf(fair) });
    await visit.sees(
      "This sheet is from Lincoln Elementary, and you're not a member there. Add the school in Settings and the activity will open.",
    );
    expect(await visit.page.getByText('Book fair').count()).toBe(0);
    await expectAccessible(visit.page);
    expect(await misfits(visit)).toEqual([]);
    await visit.press(visit.button('Open Settings'));
    await visit.page.getByRole('dialog').waitFor();
    await visit.page.keyboard.press('Escape');
    await district.call('PUT /api/profile', {
      token: ben.token,
      body: { schoolIds: [cedar.id, lincoln.id] },
    });
    await visit.page.reload();
    await chosen('Book fair');
  });

  fullTest('explains why it opens no activity if hours cannot be logged or the code is unknown', async () => {
    const closed = await anActivity(district, { school: lincoln, name: 'Old fair', isActive: false });
    const member = await aMember();
    visit = await open(district, { look, as: member, path: await addressOf(closed) });
    await visit.sees(
      "You can't log hours for Old fair at Lincoln Elementary right now. Pick another activity, or ask the school.",
    );
    await atList();
    visit.expectFailure('404 POST /api/log-codes/open');
    await visit.page.goto('/?log=K7QM-4XRD-92');
    await visit.sees(
      "This code no longer belongs to an activity. Choose the activity in the list, or ask your school for today's sheet.",
    );
    await visit.press(visit.button('Close this note'));
    await visit.misses(
      "This code no longer belongs to an activity. Choose the activity in the list, or ask your school for today's sheet.",
    );
    await visit.page.goto('/?log=');
    await atList();
  });

  fullTest('opens a past event with its last day selected, and explains that', async () => {
    const over = await anActivity(district, {
      school: lincoln,
      name: 'Winter fair',
      activeFrom: day('2020-01-04'),
      activeUntil: day('2020-01-05'),
    });
    visit = await open(district, { look, as: await aMember(), path: await addressOf(over) });
    await chosen('Winter fair');
    await visit.sees(
      'Winter fair ended on Jan 5, 2020. That day is selected. If you helped on another day, pick that one.',
    );
  });

  fullTest('leads a new user to its activity after registration', async () => {
    visit = await open(district, { look, path: await addressOf(fair) });
    await visit.press(visit.button("Don't have an account? Create one"));
    const { page } = visit;
    await page.getByLabel(words.users.firstName).fill('Nia');
    await page.getByLabel(words.users.lastName).fill('New');
    await page.getByLabel(words.users.email).fill(`nia-${look.device}@example.org`);
    await page.getByLabel(words.users.password, { exact: true }).fill('sunny-meadow-19');
    await page.getByLabel(words.users.confirmPassword).fill('sunny-meadow-19');
    await visit.press(page.getByRole('checkbox', { name: 'Lincoln Elementary' }));
    await visit.press(visit.button(words.users.register));
    await chosen('Book fair');
  });

  testOnDesktop(look, 'does not change unfinished input in another tab', async () => {
    visit = await open(district, { look, as: await aMember() });
    await visit.press(visit.page.getByRole('button', { name: /^Chess night/ }).first());
    await visit.press(visit.page.getByRole('radio', { name: '3 h' }));
    const second = await visit.context.newPage();
    await second.goto(await addressOf(fair));
    await second.getByRole('heading', { name: 'Book fair' }).waitFor();
    await visit.page.bringToFront();
    await visit.button('Log 3 hours').waitFor();
  });
});

fullTest('a sheet link with no reply shows the list, and opens the activity with Try again', async () => {
  visit = await open(district, {
    look: PHONE,
    as: await aMember(),
    path: await addressOf(fair),
    before: (page) => page.route('**/api/log-codes/open', (route) => route.abort('connectionrefused')),
  });
  visit.expectFailure('no answer POST /api/log-codes/open');
  await atList();
  await visit.button('Try again').waitFor();
  await visit.mend();
  await visit.press(visit.button('Try again'));
  await chosen('Book fair');
});
