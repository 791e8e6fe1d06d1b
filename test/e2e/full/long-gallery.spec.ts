import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { fileName, UPLOAD_SIZES } from '#features/photos/server/photo-files.ts';
import { insertPhoto } from '#features/photos/server/store.ts';
import { transaction } from '#server/db/database.ts';
import { anActivity, aPerson, aSchool } from '../../builders.ts';
import { drawn } from '../../images/draw-image.ts';
import { IS_LONG } from '../../test-level.ts';
import { DESKTOP, type District, type Look, open, openDistrict, PHONE } from '../browser.ts';

const PHOTOS = IS_LONG ? 5000 : 300;
const PAGE = 50;
/** 100 px per frame are 6,000 px per second, a fast flick of the finger. */
const PX_A_FRAME = IS_LONG ? 100 : 400;
/** The maximum number of elements on the page, however long the gallery is. Up to 200 photos are all rendered. */
const MOST_ELEMENTS = 5_000;
/** The maximum for the thumbnails below a large photo: the visible ones, and some on either side. */
const MOST_THUMBNAILS = 100;
const SHAPES = [
  [960, 720],
  [720, 960],
  [1120, 630],
  [800, 800],
] as const;

let district: District;
let volunteer: Awaited<ReturnType<typeof aPerson>>;

beforeAll(async () => {
  district = await openDistrict();
  const school = await aSchool(district);
  const activity = await anActivity(district, { school, name: 'Book fair' });
  volunteer = await aPerson(district, { schools: [school] });
  const keys = Array.from({ length: PHOTOS }, () => randomBytes(16).toString('hex'));
  await transaction(district.deps.database, async (trx) => {
    for (const [at, storageKey] of keys.entries()) {
      const [width, height] = SHAPES[at % SHAPES.length] ?? SHAPES[0];
      const sha256 = storageKey.padEnd(64, '0');
      await insertPhoto(trx, {
        activityId: activity.id,
        schoolId: school.id,
        userId: volunteer.id,
        caption: at % 3 === 0 ? `Everybody lends a hand at table ${at}` : null,
        containsStudents: false,
        review: 'visible',
        originalName: `IMG_${at}.jpg`,
        bytes: 1000,
        width,
        height,
        storageKey,
        sourceSha256: sha256,
        sha256: { full: sha256, view: sha256, thumbnail: sha256 },
        at: district.clock.now(),
      });
    }
  });
  for (const kept of UPLOAD_SIZES.filter(({ size }) => size !== 'full')) {
    const pictures = await Promise.all(
      SHAPES.map(([width, height]) =>
        drawn(width / 2, height / 2)
          .toFormat(kept.format)
          .toBuffer(),
      ),
    );
    for (const [at, key] of keys.entries()) {
      const folder = join(district.dataDir, 'photos', key.slice(0, 2));
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, fileName(key, kept)), pictures[at % SHAPES.length] ?? '');
    }
  }
});

test.each(IS_LONG ? [DESKTOP, PHONE] : [PHONE])(
  'a long gallery on a $device scrolls with few elements, no jumps, and one request per page',
  async (look: Look) => {
    const visit = await open(district, { as: volunteer, look });
    const { page } = visit;
    const pages: string[] = [];
    page.on('request', (request) => {
      if (/\/api\/activities\/\d+\/photos/.test(request.url())) pages.push(request.url());
    });
    await visit.press(page.getByRole('tab', { name: 'Manage Photos' }));
    await visit.press(page.getByRole('button', { name: /^Book fair/ }));
    await page.locator('[data-photo]').first().waitFor();
    const seen = await scrollDown(page);
    if (IS_LONG) console.log(`${PHOTOS} photos on a ${look.device}: ${JSON.stringify(seen)}`);
    await visit.sees('IMG_0.jpg');
    expect(pages.length).toBe(PHOTOS / PAGE);
    expect(new Set(pages).size).toBe(pages.length);
    expect(seen.mostElements).toBeLessThan(MOST_ELEMENTS);
    expect(seen.jumps).toEqual([]);
    const before = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.evaluate(() => window.scrollTo(0, 0));
    await visit.sees(`IMG_${PHOTOS - 1}.jpg`);
    // Removed elements leave their space. Only rows that were never rendered have an estimated height.
    const after = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(Math.abs(after - before) / before).toBeLessThan(0.02);

    await visit.press(page.locator('[data-photo]').first());
    await visit.sees(`1 / ${PHOTOS.toLocaleString('en-US')}`);
    const strip = page.getByRole('list', { name: 'All photos in this gallery' });
    const thumbnail = (place: number) => strip.locator(`[aria-posinset="${place}"]`);
    expect(await strip.getByRole('listitem').count()).toBeLessThan(MOST_THUMBNAILS);
    await strip.evaluate((list) => list.parentElement?.scrollTo(list.clientWidth, 0));
    await visit.press(thumbnail(PHOTOS - 1).getByRole('button'));
    await visit.sees(`${(PHOTOS - 1).toLocaleString('en-US')} / ${PHOTOS.toLocaleString('en-US')}`);
    await page.keyboard.press('ArrowRight');
    await visit.sees(`${PHOTOS.toLocaleString('en-US')} / ${PHOTOS.toLocaleString('en-US')}`);
    await expect.poll(() => thumbnail(PHOTOS).getByRole('button').getAttribute('aria-current')).toBe('true');
    expect(await strip.getByRole('listitem').count()).toBeLessThan(MOST_THUMBNAILS);
  },
);

type Shift = PerformanceEntry & { value: number; sources: readonly { node: Node | null }[] };

/** Scrolls to the end of the list, one step per frame, as fast as the list loads. */
function scrollDown(page: Page) {
  return page.evaluate(async (step) => {
    const frames: number[] = [];
    const longTasks: number[] = [];
    const jumps: string[] = [];
    let shifted = 0;
    let mostElements = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longTasks.push(duration);
    }).observe({ type: 'longtask' });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        shifted += entry.value;
        for (const { node } of entry.sources) {
          // Content below the last photo moves down with every page, which is not a jump.
          const part = node instanceof Element ? node : node?.parentElement;
          const isPhoto = part?.closest('li') != null || part?.querySelector('[data-photo]') != null;
          if (isPhoto) jumps.push(`${part?.tagName} ${part?.textContent?.slice(0, 60)}`);
        }
      }
    }).observe({ type: 'layout-shift' });
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    let last = await frame();
    let waited = 0;
    const hasMore = () =>
      [...document.querySelectorAll('main button')].some((one) =>
        /^(Show more|Loading)/.test(one.textContent),
      );
    // The end is reached when nothing new loads for a second, which one page may take on a busy machine.
    while (waited < 60 || (waited < 1800 && hasMore())) {
      const before = window.scrollY;
      window.scrollBy(0, step);
      const now = await frame();
      frames.push(now - last);
      last = now;
      waited = window.scrollY > before ? 0 : waited + 1;
      mostElements = Math.max(mostElements, document.querySelectorAll('*').length);
    }
    const sorted = frames.slice(0, -60).sort((a, b) => a - b);
    const part = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
    return {
      mostElements,
      jumps: jumps.slice(0, 5),
      shifted: Math.round(shifted * 10_000) / 10_000,
      frames: sorted.length,
      msOfFrame: { p50: part(0.5), p95: part(0.95), p99: part(0.99) },
      framesAbove50ms: sorted.filter((ms) => ms > 50).length,
      longTasks: longTasks.length,
      longestTask: Math.round(Math.max(0, ...longTasks)),
    };
  }, PX_A_FRAME);
}
