import { expect } from 'vitest';
import { type District, open, type Visit, type VisitOptions } from './browser.ts';
import { words } from './spoken-language.ts';

/** What a browser keeps, as it lies there. */
export type KeptRows = Readonly<{
  waiting: number;
  files: number;
  answers: number;
  keys: number;
  text: string;
}>;

/** Opens the product in a browser of its own, and waits until it keeps things. */
export async function openKeeping(
  district: District,
  as: { token: string } | undefined,
  options: VisitOptions = {},
): Promise<Visit> {
  const visit = await open(district, { ...(as && { as }), before: async () => undefined, ...options });
  if (as !== undefined) await untilKept(visit);
  return visit;
}

/** Waits until the last lists are kept: from then on hours are kept too. */
export async function untilKept(visit: Visit): Promise<void> {
  await expect.poll(async () => (await keptRows(visit)).answers).toBeGreaterThan(0);
}

/** Cuts the signal of a browser, and waits until its page says so. */
export async function cut(visit: Visit): Promise<void> {
  visit.expectFailure(/^no answer/);
  await visit.context.setOffline(true);
  await visit.page.getByText(words.web.noSignalKept).waitFor();
}

/** Lets the pages come, but no answer; for what loads parts of the pages. */
export async function cutAnswers(visit: Visit): Promise<void> {
  visit.expectFailure(/^no answer/);
  await visit.page.route('**/api/**', (route) => route.abort('internetdisconnected'));
  await visit.page.evaluate(() => dispatchEvent(new Event('offline')));
  await visit.page.getByText(words.web.noSignalKept).waitFor();
}

/** Loses the server's answers to new entries. `stored` says which of them had reached it. */
export async function loseAnswers(
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

export async function giveBack(visit: Visit): Promise<void> {
  await visit.context.setOffline(false);
}

/** Reads what the browser keeps without its keys. */
export function keptRows({ page }: Visit): Promise<KeptRows> {
  return page.evaluate(async () => {
    const names = ['waiting', 'files', 'answers', 'keys'] as const;
    const none = { waiting: 0, files: 0, answers: 0, keys: 0, text: '' };
    if (!(await indexedDB.databases()).some(({ name }) => name === 'kept')) return none;
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const asked = indexedDB.open('kept');
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
    const found = { ...none };
    for (const name of names) {
      if (!db.objectStoreNames.contains(name)) continue;
      const rows = await new Promise<{ sealed?: { bytes: ArrayBuffer } }[]>((resolve) => {
        const asked = db.transaction(name).objectStore(name).getAll();
        asked.onsuccess = () => resolve(asked.result);
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

/** Logs hours that are then kept. */
export async function logKept(visit: Visit, activity: string, hours: string): Promise<void> {
  await log(visit, activity, hours);
  await visit.sees(words['time-entries'].keptForLater);
  await visit.press(visit.button(words['time-entries'].logAnother));
}

/** The rows of what is not sent yet, each as one text. */
export async function notSentYet({ page }: Visit): Promise<string[]> {
  const rows = page.getByRole('region', { name: /^Not sent yet/ }).getByRole('listitem');
  return (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
}
