import sharp from 'sharp';
import { expect } from 'vitest';
import { addDays, dayIn } from '#shared/calendar-date.ts';
import { LANGUAGE_COOKIE, type Language } from '#shared/i18n/languages.ts';
import { anActivity, anEntry, aPerson, aSchool } from '../builders.ts';
import { upload } from '../upload.ts';
import { type District, open, PHONE, type Visit } from './browser.ts';

export async function aVolunteer(at: District) {
  const school = await aSchool(at);
  const activity = await anActivity(at, { school, name: 'Garden club' });
  const person = await aPerson(at, { schools: [school] });
  await anEntry(at, { by: person, activity, date: addDays(dayIn('UTC', at.clock.now()), -1) });
  const content = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#0f6b4f' } })
    .jpeg()
    .toBuffer();
  const sent = await upload(at, { by: person, to: activity, files: [{ name: 'garden.jpg', content }] });
  expect(sent.status).toBe(201);
  return { ...person, schoolId: school.id };
}

/** Opens the product in a new browser whose language was chosen before. */
export function visitIn(
  language: Language,
  at: District,
  options: Parameters<typeof open>[1] = {},
): Promise<Visit> {
  const cookie = { name: LANGUAGE_COOKIE, value: language, url: at.origin };
  return open(at, { look: PHONE, ...options, before: (page) => page.context().addCookies([cookie]) });
}

export const activities = (visit: Visit) => visit.page.getByRole('button', { name: /^Garden club/ }).first();

/** Waits until the service worker is active and has cached the page. */
export async function waitForServiceWorker({ page }: Visit): Promise<void> {
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    if (active?.state === 'activated') return;
    await new Promise((resolve) => active?.addEventListener('statechange', resolve, { once: true }));
  });
}

export const readWorkerState = ({ page }: Visit) =>
  page.evaluate(async () => {
    const names = await caches.keys();
    return [(await navigator.serviceWorker.getRegistration()) !== undefined, names.length];
  });

/** Returns the path and text of everything in the browser's caches. */
export const readCaches = ({ page }: Visit) =>
  page.evaluate(async () => {
    const found: { path: string; text: string }[] = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const { pathname, search } = new URL(request.url);
        found.push({ path: pathname + search, text: (await (await cache.match(request))?.text()) ?? '' });
      }
    }
    return found;
  });
