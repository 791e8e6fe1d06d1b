import { expect } from 'vitest';
import { type District, open, type Visit, type VisitOptions } from './browser.ts';
import { words } from './spoken-language.ts';

/** The data that a browser has stored for offline use: the number of rows of each kind, and all of it as text. */
export type StoredRows = Readonly<{
  waiting: number;
  files: number;
  answers: number;
  keys: number;
  text: string;
}>;

/** Opens the product in a new browser and waits until it can work offline. */
export async function openForOffline(
  district: District,
  as: { token: string } | undefined,
  options: VisitOptions = {},
): Promise<Visit> {
  const visit = await open(district, { ...(as && { as }), before: async () => undefined, ...options });
  if (as !== undefined) await waitForStoredLists(visit);
  return visit;
}

/** Waits until the last lists are stored. From then on, hours can be stored too. */
export async function waitForStoredLists(visit: Visit): Promise<void> {
  await expect.poll(async () => (await readStoredRows(visit)).answers).toBeGreaterThan(0);
}

/** Takes a browser offline and waits until the page shows it. */
export async function goOffline(visit: Visit): Promise<void> {
  visit.expectFailure(/^no answer/);
  await visit.context.setOffline(true);
  await visit.page.getByText(words.web.noSignalKept).waitFor();
}

/** Makes the API unreachable, but not the pages, for tests that load lazy components. */
export async function blockApi(visit: Visit): Promise<void> {
  visit.expectFailure(/^no answer/);
  await visit.page.route('**/api/**', (route) => route.abort('internetdisconnected'));
  await visit.page.evaluate(() => dispatchEvent(new Event('offline')));
  await visit.page.getByText(words.web.noSignalKept).waitFor();
}

/** Drops the server's replies to new entries. `stored` selects which requests reach the server. */
export async function loseReplies(
  visit: Visit,
  stored: 'stored' | 'first stored' | 'not stored',
): Promise<void> {
  let sent = 0;
  await visit.page.route('**/api/time-entries', async (route) => {
    if (route.request().method() !== 'POST') return route.fallback();
    sent += 1;
    if (stored === 'stored' || (stored === 'first stored' && sent === 1)) await route.fetch();
    await route.abort('connectionreset');
  });
}

export async function goOnline(visit: Visit): Promise<void> {
  await visit.context.setOffline(false);
}

/** Reads what the browser has stored, without decrypting it. */
export function readStoredRows({ page }: Visit): Promise<StoredRows> {
  return page.evaluate(async () => {
    const names = ['waiting', 'files', 'answers', 'keys'] as const;
    const none = { waiting: 0, files: 0, answers: 0, keys: 0, text: '' };
    if (!(await indexedDB.databases()).some(({ name }) => name === 'offline')) return none;
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('offline');
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
    const found = { ...none };
    for (const name of names) {
      if (!db.objectStoreNames.contains(name)) continue;
      const rows = await new Promise<{ sealed?: { bytes: ArrayBuffer } }[]>((resolve) => {
        const request = db.transaction(name).objectStore(name).getAll();
        request.onsuccess = () => resolve(request.result);
      });
      found[name] = rows.length;
      for (const { sealed, ...row } of rows) {
        found.text += JSON.stringify(row) + new TextDecoder().decode(sealed?.bytes);
      }
    }
    db.close();
    return found;
  });
}

/** Picks an activity and hours, and presses Log. */
export async function log(visit: Visit, activity: string, hours: string): Promise<void> {
  const { page, press, button } = visit;
  await page.getByRole('searchbox').fill(activity);
  await press(page.getByRole('button', { name: new RegExp(`^${activity}`) }).first());
  await press(page.getByRole('radio', { name: `${hours} h`, exact: true }));
  await press(button(hours === '1' ? 'Log 1 hour' : `Log ${hours} hours`));
}

/** Logs hours offline, which are stored for later. */
export async function logOffline(visit: Visit, activity: string, hours: string): Promise<void> {
  await log(visit, activity, hours);
  await visit.sees(words['time-entries'].keptForLater);
  await visit.press(visit.button(words['time-entries'].logAnother));
}

/** Returns the text of each row in the list of unsent hours. */
export async function unsentRows({ page }: Visit): Promise<string[]> {
  const rows = page.getByRole('region', { name: /^Not sent yet/ }).getByRole('listitem');
  return (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
}
