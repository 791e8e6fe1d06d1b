import { beforeAll, describe, expect, test } from 'vitest';
import { anActivity, aPerson, aSchool, PASSWORD } from '../builders.ts';
import { type District, openDistrict, PHONE, type Visit } from './browser.ts';
import {
  blockApi,
  goOffline,
  goOnline,
  log,
  logOffline,
  loseReplies,
  openForOffline,
  readStoredRows,
  unsentRows,
  waitForStoredLists,
} from './offline.ts';
import { saying, words } from './spoken-language.ts';

let district: District;
let school: Awaited<ReturnType<typeof aSchool>>;
beforeAll(async () => {
  district = await openDistrict();
  school = await aSchool(district);
});

/** A volunteer, and an activity that only this test uses. */
async function aVolunteerWithActivity() {
  const volunteer = await aPerson(district, { schools: [school] });
  const club = await anActivity(district, { school });
  return { volunteer, club };
}

const entriesOf = ({ id }: { id: number }) =>
  district.deps.database.db
    .selectFrom('time_entries')
    .select(['hours_hundredths', 'entry_date'])
    .where('user_id', '=', id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();

const hoursOf = async (person: { id: number }) =>
  (await entriesOf(person)).map(({ hours_hundredths }) => Number(hours_hundredths) / 100);

async function signOut({ press, button, page, look }: Visit) {
  if (look.device === 'phone') {
    await press(button(words.web.menu));
    await press(page.getByRole('menuitem', { name: words.auth.logout }));
  } else await press(button(words.auth.logout));
}

async function signIn(visit: Visit, { email }: { email: string }) {
  await visit.page.getByLabel(words.users.email).fill(email);
  await visit.page.getByLabel(words.users.password, { exact: true }).fill(PASSWORD);
  await visit.press(visit.button(words.auth.signIn));
}

describe('entries logged offline', () => {
  test('survive a reload, and are sent once, in order', async () => {
    const { volunteer, club } = await aVolunteerWithActivity();
    const visit = await openForOffline(district, volunteer, { look: PHONE });
    await visit.page.getByRole('searchbox').waitFor();
    await goOffline(visit);
    await logOffline(visit, club.name, '2');
    await log(visit, club.name, '0.5');
    // It asks before adding to the same day, although the first hours are only pending.
    await visit.press(visit.button('Log 0.5 h more'));
    await expect.poll(() => unsentRows(visit)).toHaveLength(2);
    await visit.page.getByText(saying('time-entries:notCounted', { hours: '2.5' })).waitFor();
    expect(await hoursOf(volunteer)).toEqual([]);

    // The page loads, but the API does not reply.
    await visit.page.route('**/api/**', (route) => route.abort('internetdisconnected'));
    await goOnline(visit);
    await visit.page.reload();
    await expect.poll(() => unsentRows(visit)).toHaveLength(2);
    await visit.page.getByText(words.web.noSignalKept).waitFor();
    await visit.page.getByRole('searchbox').waitFor();

    await visit.mend();
    await visit.sees(words.web.allSent);
    expect(await hoursOf(volunteer)).toEqual([2, 0.5]);
    expect(await unsentRows(visit)).toEqual([]);
    expect((await readStoredRows(visit)).waiting).toBe(0);
  });

  test.each([
    ['before the server stored them', false],
    ['before the reply arrived', true],
  ])('are stored once if the connection broke %s', async (_, isStored) => {
    const { volunteer, club } = await aVolunteerWithActivity();
    const visit = await openForOffline(district, volunteer);
    visit.expectFailure('no answer POST /api/time-entries');
    if (isStored) visit.expectFailure('409 POST /api/time-entries');
    await loseReplies(visit, isStored ? 'stored' : 'not stored');
    await log(visit, club.name, '1.5');
    await visit.sees(words['time-entries'].keptForLater);
    expect(await hoursOf(volunteer)).toEqual(isStored ? [1.5] : []);
    await visit.mend();
    await visit.sees(words.web.allSent);
    expect(await hoursOf(volunteer)).toEqual([1.5]);
  });

  test('are sent once by two tabs, and both tabs update', async () => {
    const { volunteer, club } = await aVolunteerWithActivity();
    const visit = await openForOffline(district, volunteer);
    await goOffline(visit);
    await logOffline(visit, club.name, '2');
    await visit.page.route('**/api/**', (route) => route.abort('internetdisconnected'));
    await goOnline(visit);
    const second = await visit.context.newPage();
    let posts = 0;
    visit.context.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/time-entries')) posts += 1;
    });
    await visit.mend();
    await second.goto('/');
    await visit.page.evaluate(() => dispatchEvent(new Event('online')));
    await expect.poll(() => hoursOf(volunteer)).toEqual([2]);
    await expect.poll(() => unsentRows(visit)).toEqual([]);
    await second.getByRole('searchbox').waitFor();
    await expect.poll(() => second.getByRole('region', { name: /^Not sent yet/ }).count()).toBe(0);
    expect(posts).toBe(1);
  });

  test('show their error if rejected, can be edited, and do not block others', async () => {
    const { volunteer, club } = await aVolunteerWithActivity();
    const gone = await anActivity(district, { school });
    const visit = await openForOffline(district, volunteer);
    await goOffline(visit);
    await logOffline(visit, gone.name, '1');
    await logOffline(visit, club.name, '2');
    const { db } = district.deps.database;
    await db
      .updateTable('activities')
      .set({ is_active: 0 as never })
      .where('id', '=', gone.id)
      .execute();
    visit.expectFailure('400 POST /api/time-entries');
    await goOnline(visit);
    await visit.page.getByText(/Couldn't send: You can't log hours for .* right now/).waitFor();
    await expect.poll(() => hoursOf(volunteer)).toEqual([2]);
    await db
      .updateTable('activities')
      .set({ is_active: 1 as never })
      .where('id', '=', gone.id)
      .execute();
    await visit.press(visit.page.getByRole('button', { name: /^Edit .*1 h/ }).first());
    await visit.page.getByLabel(words['time-entries'].hoursField, { exact: true }).fill('1.25');
    await visit.press(visit.button(words.web.save));
    await visit.sees(words.web.allSent);
    expect(await hoursOf(volunteer)).toEqual([2, 1.25]);
  });
});

describe('signing out with pending hours', () => {
  async function waitingVisit(options: Parameters<typeof openForOffline>[2] = {}) {
    const { volunteer, club } = await aVolunteerWithActivity();
    const visit = await openForOffline(district, volunteer, options);
    await blockApi(visit);
    await logOffline(visit, club.name, '2');
    return { volunteer, club, visit };
  }

  test('leaves them on the device, encrypted, for the same account only', async () => {
    const { volunteer, club, visit } = await waitingVisit();
    const other = await aPerson(district, { schools: [school] });
    await signOut(visit);
    await visit.press(visit.button(words.web.signOutKeep));
    await visit.page.getByText(/^Not sent yet on this device: 1 entry/).waitFor();
    expect(await readStoredRows(visit)).toMatchObject({ waiting: 1, answers: 0, keys: 1 });
    expect((await readStoredRows(visit)).text).not.toContain(club.name);
    await visit.mend();
    await signIn(visit, other);
    await waitForStoredLists(visit);
    expect(await unsentRows(visit)).toEqual([]);
    await signOut(visit);
    await signIn(visit, volunteer);
    await expect.poll(() => hoursOf(volunteer)).toEqual([2]);
    expect(await hoursOf(other)).toEqual([]);
  });
});

describe('shared-computer mode', () => {
  test('is chosen at sign-in; closing its last tab asks for confirmation and deletes stored data', async () => {
    const { volunteer, club } = await aVolunteerWithActivity();
    const visit = await openForOffline(district, undefined);
    await visit.press(visit.page.getByLabel(words.web.sharedComputer));
    await signIn(visit, volunteer);
    await waitForStoredLists(visit);
    await goOffline(visit);
    await logOffline(visit, club.name, '2');
    let asked = 0;
    visit.page.on('dialog', (dialog) => {
      asked += 1;
      void dialog.accept();
    });
    const next = await visit.context.newPage();
    const closed = visit.page.waitForEvent('close');
    await visit.page.close({ runBeforeUnload: true });
    await closed;
    expect(asked).toBe(1);
    await goOnline(visit);
    await next.goto('/');
    await expect.poll(() => readStoredRows({ ...visit, page: next })).toMatchObject({ waiting: 0, keys: 0 });
    expect(await hoursOf(volunteer)).toEqual([]);
  });
});

describe('a session that ended on the server while offline', () => {
  test('leaves pending hours until the same account signs in', async () => {
    const { volunteer, club } = await aVolunteerWithActivity();
    const visit = await openForOffline(district, volunteer);
    await goOffline(visit);
    await logOffline(visit, club.name, '2');
    await district.deps.database.db.deleteFrom('sessions').where('user_id', '=', volunteer.id).execute();
    visit.expectFailure('401 GET /api/profile');
    await goOnline(visit);
    await visit.page.getByText(/^Not sent yet on this device: 1 entry/).waitFor();
    await signIn(visit, volunteer);
    await expect.poll(() => hoursOf(volunteer)).toEqual([2]);
  });
});
