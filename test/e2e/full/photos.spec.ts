import { beforeAll, beforeEach, expect, test } from 'vitest';
import { makeRenditions } from '#features/photos/server/renditions.ts';
import { dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAdministrator, aPerson, aSchool } from '../../builders.ts';
import { drawn } from '../../images/draw-image.ts';
import { DESKTOP, type District, open, openDistrict, PHONE, type Visit } from '../browser.ts';
import { hasFocus } from '../keyboard.ts';
import { words } from '../spoken-language.ts';

let district: District;
let school: Awaited<ReturnType<typeof aSchool>>;
let fair: Awaited<ReturnType<typeof anActivity>>;
let volunteer: Awaited<ReturnType<typeof aPerson>>;

beforeAll(async () => {
  district = await openDistrict();
});

beforeEach(async () => {
  school = await aSchool(district);
  const category = await aCategory(district, { school, name: 'Events' });
  const activeFrom = dayIn('UTC', district.clock.now());
  fair = await anActivity(district, { school, category, name: 'Book fair', activeFrom });
  await anActivity(district, { school, category, name: 'Art night', activeFrom });
  volunteer = await aPerson(district, { schools: [school], firstName: 'Vera', lastName: 'Lopez' });
});

type File = { name: string; mimeType: string; buffer: Buffer };

const file = (name: string, mimeType: string, buffer: Buffer): File => ({ name, mimeType, buffer });

const choose = (visit: Visit, files: File[]) =>
  visit.page.locator('input[type="file"][multiple]').setInputFiles(files);

/** Turns the consent that each upload requires on or off. */
async function askForConsent(by: { token: string }, consent: boolean): Promise<void> {
  const reply = await district.call('PUT /api/admin/photos/settings', { token: by.token, body: { consent } });
  expect(reply.status).toBe(200);
}

const photos = (visit: Visit) => visit.page.locator('[data-photo]');
const viewer = (visit: Visit) => visit.page.getByRole('dialog', { name: words.photos.viewer });

async function openPhotos(visit: Visit): Promise<void> {
  await visit.press(visit.page.getByRole('tab', { name: words.web.managePhotos }));
  await visit.press(visit.page.getByRole('button', { name: /^Book fair/ }));
  await visit.button(words.photos.choose).waitFor();
}

/** Uploads photos one after the other, so the last one is the latest. */
async function uploaded(count: number, caption?: string): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const picture = await drawn(400 + at * 10, 300)
      .jpeg()
      .toBuffer();
    await send(picture, `DSC_${at}.jpg`, caption === undefined ? undefined : `${caption} ${at}`);
  }
}

async function send(picture: Buffer, name: string, caption?: string): Promise<void> {
  const form = new FormData();
  form.append('photos', new Blob([new Uint8Array(picture)]), name);
  if (caption !== undefined) form.append('caption', caption);
  const reply = await fetch(`${district.origin}/api/activities/${fair.id}/photos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${volunteer.token}` },
    body: form,
  });
  expect(reply.status).toBe(201);
}

test('a file that cannot be uploaded shows why in its row, and more than five files are rejected', async () => {
  const visit = await open(district, { as: volunteer });
  await openPhotos(visit);
  await visit.sees('JPEG, PNG, GIF, WebP or HEIC, max 10MB each, up to 5 files');
  const picture = await drawn(40, 30).png().toBuffer();
  const six = Array.from({ length: 6 }, (_, at) => file(`${at}.png`, 'image/png', picture));
  await choose(visit, six);
  await visit.sees('You can upload up to 5 files at a time');
  expect(await visit.page.getByRole('list', { name: words.photos.chosen }).count()).toBe(0);

  await choose(visit, [
    file('list.pdf', 'application/pdf', Buffer.from('%PDF-1.7')),
    file('large.jpg', 'image/jpeg', Buffer.alloc(15_728_641)),
    file('fake.png', 'image/png', Buffer.from('no picture at all')),
    file('good.png', 'image/png', picture),
  ]);
  await visit.misses('You can upload up to 5 files at a time');
  await visit.sees(
    'list.pdf: Invalid file type (application/pdf). Only JPEG, PNG, GIF, WebP, and HEIC are allowed.',
  );
  await visit.sees(words.photos.tooLarge);
  visit.expectFailure(`400 POST /api/activities/${fair.id}/photos`);
  await visit.press(visit.button('Upload 2 photos'));
  await visit.sees('1 photo uploaded successfully');
  const fake = visit.page.getByRole('listitem').filter({ hasText: 'fake.png' });
  expect(await fake.getByRole('alert').textContent()).toMatch(/^fake\.png: /);
  await visit.press(visit.button('Remove fake.png'));
  await fake.waitFor({ state: 'hidden' });
});

test('consent that became required after choosing a file can be given, and the upload retried', async () => {
  const ada = await anAdministrator(district);
  const visit = await open(district, { as: volunteer });
  await openPhotos(visit);
  await choose(visit, [file('a.png', 'image/png', await drawn(40, 30).png().toBuffer())]);
  await askForConsent(ada, true);
  visit.expectFailure(`400 POST /api/activities/${fair.id}/photos`);
  await visit.press(visit.button('Upload 1 photo'));
  const consent = visit.page.getByRole('checkbox', { name: /^Everyone in these photos/ });
  await consent.waitFor();
  await visit.press(visit.button('Try a.png again'));
  expect(await hasFocus(consent)).toBe(true);
  const described = await consent.getAttribute('aria-describedby');
  expect(await visit.page.locator(`[id="${described}"]`).textContent()).toContain(
    'Please confirm that everyone',
  );
  await visit.press(consent);
  await visit.page.getByLabel(words.photos.captionOptional).fill('Corrected since');
  await visit.press(visit.button('Try a.png again'));
  await visit.sees('1 photo uploaded successfully');
  await visit.sees('Corrected since');
  await askForConsent(ada, false);
});

test('the viewer closes if its photo is already deleted, and reopens without the delete question', async () => {
  await uploaded(2);
  const visit = await open(district, { as: volunteer });
  const { page } = visit;
  await openPhotos(visit);
  const id = await photos(visit).first().getAttribute('data-photo');
  await visit.press(photos(visit).first());
  await visit.sees('1 / 2');
  await district.call(`DELETE /api/photos/${id}`, { token: volunteer.token });
  visit.expectFailure(`404 DELETE /api/photos/${id}`);
  await visit.press(viewer(visit).getByRole('button', { name: 'Delete Photo' }));
  await visit.press(visit.button(words.web.delete));
  await visit.sees(words.photos.notFound);
  await viewer(visit).waitFor({ state: 'hidden' });
  await visit.press(photos(visit).first());
  await visit.sees('1 / 1');
  expect(await page.getByRole('alertdialog').count()).toBe(0);
});

test('a swipe of more than 50 px changes the photo, a shorter one does not', async () => {
  await uploaded(2);
  const visit = await open(district, { as: volunteer, look: PHONE });
  await openPhotos(visit);
  await visit.press(photos(visit).first());
  await visit.sees('1 / 2');
  const swipe = (from: number, to: number) =>
    viewer(visit).evaluate(
      (dialog, [start, end]) => {
        const stage = dialog.querySelector('img')?.parentElement;
        const at = (clientX: number) => ({ clientX, clientY: 400, isPrimary: true, bubbles: true });
        stage?.dispatchEvent(new PointerEvent('pointerdown', at(start)));
        stage?.dispatchEvent(new PointerEvent('pointerup', at(end)));
      },
      [from, to] as const,
    );
  await swipe(300, 250);
  await visit.sees('1 / 2');
  await swipe(300, 249);
  await visit.sees('2 / 2');
  await swipe(200, 300);
  await visit.sees('1 / 2');
  await visit.press(viewer(visit).getByRole('button', { name: words.web.close }));
  await viewer(visit).waitFor({ state: 'hidden' });
});

test.each([
  ['a phone', PHONE, { width: 390, height: 844 }, '1320', 1320],
  ['a large screen', DESKTOP, { width: 2400, height: 1600 }, null, 1600],
] as const)(
  'on %s, the viewer loads the image at its displayed size, as AVIF',
  async (_screen, look, screen, side, width) => {
    const picture = await drawn(1600, 1200).jpeg().toBuffer();
    await send(picture, 'DSC_0.jpg');
    await makeRenditions(district.deps);
    const visit = await open(district, { as: volunteer, look });
    await visit.page.setViewportSize(screen);
    const loaded: (readonly [side: string | null, type: string | undefined])[] = [];
    visit.page.on('response', (response) => {
      const { pathname, searchParams } = new URL(response.url());
      if (!pathname.endsWith('/files/view')) return;
      loaded.push([searchParams.get('side'), response.headers()['content-type']]);
    });
    await openPhotos(visit);
    await visit.press(photos(visit).first());
    const large = viewer(visit).locator('img[src*="/files/view"]');
    // The size of the loaded image, not the size of its layout.
    const pixels = () =>
      large.evaluate(async ({ currentSrc }: HTMLImageElement) => {
        const bitmap = await createImageBitmap(
          await (await fetch(currentSrc, { headers: { accept: 'image/avif' } })).blob(),
        );
        return bitmap.width;
      });
    await expect
      .poll(() => large.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth > 0))
      .toBe(true);
    expect(loaded).toEqual([[side, 'image/avif']]);
    expect(await pixels()).toBe(width);
  },
);

test("an image that fails to load requests its link once more, then shows 'Preview unavailable'", async () => {
  await uploaded(1);
  const visit = await open(district, { as: volunteer });
  const { page } = visit;
  let isBroken = true;
  let links = 0;
  await page.route(/\/files\/thumbnail/, (route) =>
    isBroken ? route.fulfill({ status: 403 }) : route.continue(),
  );
  await page.route(/\/api\/photos\/\d+$/, (route) => {
    links += 1;
    return route.continue();
  });
  visit.expectFailure(/^403 GET .*\/files\/thumbnail/);
  await openPhotos(visit);
  await visit.sees(words.photos.previewUnavailable);
  expect(links).toBe(1);
  isBroken = false;
});

test('a gallery that fails to load shows an error, and loads with Try again', async () => {
  const visit = await open(district, { as: volunteer });
  await visit.breakAt(`GET /api/activities/${fair.id}/photos`, 503);
  await openPhotos(visit);
  await visit.sees(words.photos.failedToLoad);
  await visit.mend();
  await visit.press(visit.button(words.web.tryAgain));
  await visit.sees(words.photos.noneInActivity);
});
