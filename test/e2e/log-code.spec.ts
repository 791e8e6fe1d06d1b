import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ensureLogAddress } from '#features/activities/log-codes/server/actions.ts';
import { transaction } from '#server/db/database.ts';
import { anActivity, aPerson, aSchool, PASSWORD } from '../builders.ts';
import { type District, looks, open, openDistrict, PHONE, type Visit } from './browser.ts';
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
});
