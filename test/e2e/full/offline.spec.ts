import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, dayIn } from '#shared/calendar-date.ts';
import { anActivity, anEntry, aPerson, aSchool } from '../../builders.ts';
import { phonePhoto } from '../../images/draw-image.ts';
import { type District, open, openDistrict, type Visit } from '../browser.ts';
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
} from '../offline.ts';
import { saying, words } from '../spoken-language.ts';

let district: District;
let school: Awaited<ReturnType<typeof aSchool>>;
let today: ReturnType<typeof dayIn>;
beforeAll(async () => {
  district = await openDistrict();
  school = await aSchool(district);
  today = dayIn('UTC', district.clock.now());
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

describe('entries logged offline', () => {
  test('can still be edited if the server stored them and its reply was lost', async () => {
    const { volunteer, club } = await aVolunteerWithActivity();
    const visit = await openForOffline(district, volunteer);
    visit.expectFailure('no answer POST /api/time-entries');
    visit.expectFailure('409 POST /api/time-entries');
    await loseReplies(visit, 'first stored');
    await log(visit, club.name, '3');
    await visit.sees(words['time-entries'].keptForLater);
    await visit.press(visit.page.getByRole('button', { name: /^Edit / }).first());
    await visit.page.getByLabel(words['time-entries'].hoursField, { exact: true }).fill('2.25');
    await visit.press(visit.button(words.web.save));
    await visit.mend();
    await visit.sees(words.web.allSent);
    expect(await hoursOf(volunteer)).toEqual([2.25]);
  });

  test('are removed only after a question, and then not sent', async () => {
    const { volunteer, club } = await aVolunteerWithActivity();
    const visit = await openForOffline(district, volunteer);
    await goOffline(visit);
    await logOffline(visit, club.name, '1');
    await visit.press(visit.page.getByRole('button', { name: /^Remove / }).first());
    await visit.sees(words.web.removeNeverSent);
    await visit.press(visit.button(words.web.cancel));
    expect(await unsentRows(visit)).toHaveLength(1);
    await visit.press(visit.page.getByRole('button', { name: /^Remove / }).first());
    await visit.press(visit.button(words.web.removeKept));
    await expect.poll(() => unsentRows(visit)).toEqual([]);
    await goOnline(visit);
    await visit.page.getByText(words.web.noSignalKept).waitFor({ state: 'hidden' });
    expect(await hoursOf(volunteer)).toEqual([]);
  });

  test('are not added to hours from another device without a question', async () => {
    const { volunteer, club } = await aVolunteerWithActivity();
    const visit = await openForOffline(district, volunteer);
    await goOffline(visit);
    await logOffline(visit, club.name, '2');
    await anEntry(district, { by: volunteer, activity: club, hours: 2, date: today });
    await goOnline(visit);
    await visit.page.getByText(/may be from another device/).waitFor();
    expect(await hoursOf(volunteer)).toEqual([2]);
    await visit.press(visit.page.getByRole('button', { name: /^Send anyway/ }));
    await visit.sees(words.web.allSent);
    expect(await hoursOf(volunteer)).toEqual([2, 2]);
  });

  test.each([
    ['ahead', 1],
    ['behind', -1],
  ])("are dated with the server's day if the device's clock is a day %s", async (_, days) => {
    const { volunteer, club } = await aVolunteerWithActivity();
    const visit = await openForOffline(district, volunteer, {
      before: (page) => page.clock.install({ time: Date.now() + days * 86_400_000 }),
    });
    await goOffline(visit);
    await logOffline(visit, club.name, '2');
    await goOnline(visit);
    await expect.poll(() => entriesOf(volunteer)).toMatchObject([{ entry_date: today }]);
  });

  test('with a future date, after the clock jumped ahead, are rejected and can be corrected', async () => {
    const { volunteer, club } = await aVolunteerWithActivity();
    const visit = await openForOffline(district, volunteer, {
      before: (page) => page.clock.install({ time: Date.now() }),
    });
    await goOffline(visit);
    await visit.page.clock.fastForward(2 * 86_400_000);
    await logOffline(visit, club.name, '2');
    visit.expectFailure('400 POST /api/time-entries');
    await goOnline(visit);
    await visit.page.getByText(`Couldn't send: ${words['time-entries'].future}`).waitFor();
    await visit.press(visit.page.getByRole('button', { name: /^Edit / }).first());
    await visit.page.getByLabel(words['time-entries'].date, { exact: true }).fill(addDays(today, -1));
    await visit.press(visit.button(words.web.save));
    await expect.poll(() => entriesOf(volunteer)).toMatchObject([{ entry_date: addDays(today, -1) }]);
  });
});

test('Account Settings shows what this device stores, even if the offline code loads late', async () => {
  const { volunteer } = await aVolunteerWithActivity();
  const begun = Promise.withResolvers<void>();
  const visit = await open(district, {
    as: volunteer,
    before: (page) =>
      page.route('**/assets/offline-session-*.js', async (route) => {
        await begun.promise;
        await route.continue();
      }),
  });
  await visit.press(visit.button(words.users.settings));
  await visit.page.getByRole('heading', { name: words.users.settingsTitle }).waitFor();
  begun.resolve();
  await visit.page.getByRole('heading', { name: words.web.onThisDevice }).waitFor();
});

describe('a browser that cannot store hours', () => {
  test.each([
    ['is full', 'noRoomToKeep', 'QuotaExceededError'],
    ['stores nothing', 'cannotKeep', 'UnknownError'],
  ] as const)('keeps the form and explains the problem if it %s', async (_, sentence, name) => {
    const { volunteer, club } = await aVolunteerWithActivity();
    const visit = await openForOffline(district, volunteer);
    await visit.page.evaluate((named) => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('no', named);
      };
    }, name);
    await goOffline(visit);
    await log(visit, club.name, '2');
    await visit.sees(words['time-entries'][sentence]);
    await goOnline(visit);
    await visit.press(visit.button('Log 2 hours'));
    await visit.sees(`2h logged for ${club.name} today!`);
    expect(await hoursOf(volunteer)).toEqual([2]);
  });

  test('logs hours as usual while online', async () => {
    const { volunteer, club } = await aVolunteerWithActivity();
    const visit = await open(district, {
      as: volunteer,
      before: (page) =>
        page.addInitScript(() => {
          indexedDB.open = () => {
            throw new DOMException('no', 'SecurityError');
          };
        }),
    });
    await log(visit, club.name, '2');
    await visit.sees(`2h logged for ${club.name} today!`);
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

  test('asks first, and Stay changes nothing', async () => {
    const { visit } = await waitingVisit();
    await signOut(visit);
    await visit.sees(saying('web:signOutWaiting', { what: '1 entry' }));
    await visit.press(visit.button(words.web.stay));
    expect(await unsentRows(visit)).toHaveLength(1);
  });

  test('deletes the hours and their key if the user agrees', async () => {
    const { visit } = await waitingVisit();
    await signOut(visit);
    await visit.press(visit.button(words.web.signOutDelete));
    await visit.page.getByLabel(words.users.email).waitFor();
    expect(await readStoredRows(visit)).toMatchObject({ waiting: 0, files: 0, answers: 0, keys: 0 });
  });

  test('on a shared computer offers only to delete the hours, and leaves no data', async () => {
    const { visit, club } = await waitingVisit({ stored: { sharedComputer: '1' } });
    const kept = await readStoredRows(visit);
    expect(kept).toMatchObject({ waiting: 1, keys: 0 });
    expect(kept.text).not.toContain(club.name);
    await signOut(visit);
    await visit.sees(words.web.signOutShared);
    expect(await visit.button(words.web.signOutKeep).count()).toBe(0);
    await visit.press(visit.button(words.web.signOutDelete));
    await visit.page.getByLabel(words.users.email).waitFor();
    expect(await readStoredRows(visit)).toMatchObject({ waiting: 0, files: 0, answers: 0, keys: 0 });
  });
});

describe('pending hours on a shared computer', () => {
  test('survive a reload', async () => {
    const { volunteer, club } = await aVolunteerWithActivity();
    const visit = await openForOffline(district, volunteer, { stored: { sharedComputer: '1' } });
    await goOffline(visit);
    await logOffline(visit, club.name, '2');
    visit.page.once('dialog', (dialog) => void dialog.accept());
    await visit.page.route('**/api/**', (route) => route.abort('internetdisconnected'));
    await goOnline(visit);
    await visit.page.reload();
    await expect.poll(() => unsentRows(visit)).toHaveLength(1);
    await visit.mend();
    await expect.poll(() => hoursOf(volunteer)).toEqual([2]);
  });
});

test('photos chosen offline are stored up to 50 MB and sent later, and more are rejected', async () => {
  const { volunteer, club } = await aVolunteerWithActivity();
  const visit = await openForOffline(district, volunteer);
  const { page, press, button } = visit;
  await press(page.getByRole('tab', { name: words.web.managePhotos }));
  await page.getByRole('searchbox').fill(club.name);
  await press(page.getByRole('button', { name: new RegExp(`^${club.name}`) }).first());
  const input = page.locator('input[type="file"][multiple]');
  await input.waitFor({ state: 'attached' });
  await button(words.photos.changeActivity).waitFor();
  await goOffline(visit);
  await input.setInputFiles({ name: 'fair.jpg', mimeType: 'image/jpeg', buffer: await phonePhoto(40, 30) });
  await press(button(saying('photos:upload', { count: 1 })));
  await expect.poll(() => unsentRows(visit)).toHaveLength(1);
  // This browser cannot decode these files, so it cannot shrink them.
  const choose = (count: number, bytes: number) =>
    input.evaluate(
      (field: HTMLInputElement, [many, size]) => {
        const chosen = new DataTransfer();
        for (let at = 0; at < many; at += 1) {
          chosen.items.add(
            new File([new Uint8Array(size).fill(at)], `${size}-${at}.heic`, { type: 'image/heic' }),
          );
        }
        field.files = chosen.files;
        field.dispatchEvent(new Event('change', { bubbles: true }));
      },
      [count, bytes] as const,
    );
  await choose(5, 9_900_000);
  await press(button(saying('photos:upload', { count: 5 })));
  await expect.poll(() => unsentRows(visit)).toHaveLength(6);
  await choose(1, 4_000_000);
  await press(button(saying('photos:upload', { count: 1 })));
  await visit.sees(words.photos.noRoomToKeep);
  expect(await readStoredRows(visit)).toMatchObject({ waiting: 6, files: 6 });
  visit.expectFailure(`400 POST /api/activities/${club.id}/photos`);
  await goOnline(visit);
  // The server cannot decode them either, and rejects them.
  await expect
    .poll(async () => (await unsentRows(visit)).filter((row) => row.includes("Couldn't send")))
    .toHaveLength(5);
  const photos = await district.deps.database.db.selectFrom('photos').select('original_name').execute();
  expect(photos).toEqual([{ original_name: 'fair.jpg' }]);
});

describe('a session that ended on the server while offline', () => {
  test('offers to save and remove pending hours if the account was deactivated', async () => {
    const { volunteer, club } = await aVolunteerWithActivity();
    const visit = await openForOffline(district, volunteer);
    await goOffline(visit);
    await logOffline(visit, club.name, '2');
    const { db } = district.deps.database;
    await db.deleteFrom('sessions').where('user_id', '=', volunteer.id).execute();
    await db
      .updateTable('users')
      .set({ is_active: 0 as never })
      .where('id', '=', volunteer.id)
      .execute();
    visit.expectFailure('401 GET /api/profile');
    await goOnline(visit);
    await visit.press(visit.button(words.web.cannotSignIn));
    const saving = visit.page.waitForEvent('download');
    await visit.press(visit.button(words.web.saveCopy));
    const copy = readFileSync(await (await saving).path(), 'utf8');
    expect(copy).toBe(`${today} · ${club.name} · 2 h\n`);
    await visit.press(visit.button(words.web.removeKept));
    await visit.press(
      visit.page.getByRole('alertdialog').getByRole('button', { name: words.web.removeKept }),
    );
    await visit.page.getByText(/^Not sent yet on this device/).waitFor({ state: 'hidden' });
    expect(await readStoredRows(visit)).toMatchObject({ waiting: 0, keys: 0 });
  });
});
