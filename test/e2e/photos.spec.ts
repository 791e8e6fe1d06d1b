import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAdministrator, aPerson, aSchool } from '../builders.ts';
import { drawn, phonePhoto } from '../images/draw-image.ts';
import { type District, looks, open, openDistrict, PHONE, toAdminPanel, type Visit } from './browser.ts';
import { expectNoBarriers, inFull } from './expect-accessible.ts';
import { hasFocus } from './keyboard.ts';
import { words } from './spoken-language.ts';

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

async function everyType(): Promise<File[]> {
  return [
    file('IMG_1.jpg', 'image/jpeg', await phonePhoto(4000, 3000, 6)),
    file('IMG_2.png', 'image/png', await drawn(900, 1200).png().toBuffer()),
    file('IMG_3.webp', 'image/webp', await drawn(1600, 900).webp().toBuffer()),
    // The name that a phone gives, and the missing type of a browser that does not know it.
    file('IMG_4.HEIC', '', readFileSync('test/images/phone.heic')),
  ];
}

const choose = (visit: Visit, files: File[]) =>
  visit.page.locator('input[type="file"][multiple]').setInputFiles(files);

/** Drops files on the drop zone, as if dragged from another window. */
async function drop(visit: Visit, files: File[]): Promise<void> {
  const written = files.map((one) => ({ ...one, buffer: one.buffer.toString('base64') }));
  const dataTransfer = await visit.page.evaluateHandle((given) => {
    const transfer = new DataTransfer();
    for (const { name, mimeType, buffer } of given) {
      const content = Uint8Array.from(atob(buffer), (character) => character.charCodeAt(0));
      transfer.items.add(new File([content], name, { type: mimeType }));
    }
    return transfer;
  }, written);
  await visit.button(words.photos.choose).dispatchEvent('drop', { dataTransfer });
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

describe.each(looks(PHONE))('on a $device', (look) => {
  test('JPEG, PNG, WebP and HEIC images are uploaded, and shown in the gallery and the viewer', async () => {
    const visit = await open(district, { as: volunteer, look });
    const { page } = visit;
    await visit.press(page.getByRole('tab', { name: words.web.managePhotos }));
    await visit.button(words.photos.viewAll).waitFor();
    expect(await page.getByRole('button', { name: /^Book fair/ }).textContent()).toContain('No photos');
    await page.getByRole('searchbox', { name: words.web.shortcutSearch }).fill('book');
    await visit.press(page.getByRole('button', { name: /^Book fair/ }));
    await visit.button(words.photos.changeActivity).waitFor();
    expect(await visit.button(words.photos.takeOne).isVisible()).toBe(look.device === 'phone');

    const [taken, ...others] = await everyType();
    if (taken === undefined) throw new Error('there is no picture');
    if (look.device === 'phone') {
      await page.locator('input[type="file"][capture="environment"]').setInputFiles(taken);
      await choose(visit, others);
    } else await drop(visit, [taken, ...others]);
    const rows = page.getByRole('list', { name: words.photos.chosen }).getByRole('listitem');
    expect(await rows.count()).toBe(4);
    await page.getByLabel(words.photos.captionOptional).fill('Sorting books');
    await visit.press(visit.button('Upload 4 photos'));
    await visit.sees('4 photos uploaded successfully');
    expect(await photos(visit).count()).toBe(4);
    await visit.sees('4 photos');
    await visit.sees('Sorting books');
    await visit.sees('IMG_4.HEIC');
    await visit.misses('By: Vera Lopez');
    const { file_size: sent } = await district.deps.database.db
      .selectFrom('photos')
      .select('file_size')
      .where('activity_id', '=', fair.id)
      .where('original_name', '=', taken.name)
      .executeTakeFirstOrThrow();
    // Its twelve megapixels were reduced to five before the upload.
    expect(sent).toBeLessThan(taken.buffer.length);
    // The image fills its tile without bars, even if it is taller or wider.
    const fit = photos(visit).first().locator('img');
    expect(await fit.evaluate((image) => getComputedStyle(image).objectFit)).toBe('cover');

    await visit.press(photos(visit).first());
    await viewer(visit).waitFor();
    await visit.sees('1 / 4');
    await expect.poll(() => shownLarge(page)).toBeGreaterThan(0);
    await page.goBack();
    await viewer(visit).waitFor({ state: 'hidden' });
    await visit.press(visit.button(words.photos.backToActivities));
    await page.getByRole('heading', { name: words.activities.heading }).waitFor();
  });
});

const shownLarge = (page: Page) =>
  page.evaluate(
    () =>
      document.querySelector<HTMLImageElement>('[role="dialog"] img[src*="/files/view"]')?.naturalWidth ?? 0,
  );

test('a failed upload can be retried, and a hanging one canceled', async () => {
  const visit = await open(district, { as: volunteer });
  await openPhotos(visit);
  const address = `/api/activities/${fair.id}/photos`;
  await choose(visit, [file('a.png', 'image/png', await drawn(40, 30).png().toBuffer())]);
  await visit.breakAt(`POST ${address}`, 503);
  await visit.press(visit.button('Upload 1 photo'));
  await visit.button('Try a.png again').waitFor();
  await visit.mend();
  await visit.press(visit.button('Try a.png again'));
  await visit.sees('1 photo uploaded successfully');
  // The row and its buttons are gone, and the button for choosing photos has the focus.
  await expect.poll(() => hasFocus(visit.button(words.photos.choose))).toBe(true);

  await visit.page.route(`**${address}`, (route) =>
    route.request().method() === 'POST' ? undefined : route.fallback(),
  );
  await choose(visit, [file('b.png', 'image/png', await drawn(41, 30).png().toBuffer())]);
  await visit.press(visit.button('Upload 1 photo'));
  await visit.page.getByRole('progressbar', { name: 'Uploading b.png' }).waitFor();
  await visit.press(visit.button('Cancel b.png'));
  await visit.page.getByRole('list', { name: words.photos.chosen }).waitFor({ state: 'hidden' });
  expect(await photos(visit).count()).toBe(1);
});

/** Marks the page once one of its half-second timers has run. */
const markHalfSecond = (page: Page) =>
  page.evaluate(() => {
    const later = globalThis.setTimeout;
    const marking = (act: () => void, ms?: number) =>
      later(() => {
        act();
        if (ms === 500) document.documentElement.dataset['waited'] = 'half a second';
      }, ms);
    Object.assign(globalThis, { setTimeout: marking });
  });

test('the photo viewer works by keyboard, and returns the focus', async () => {
  await uploaded(3, 'Stand');
  const visit = await open(district, { as: volunteer });
  const { page } = visit;
  await openPhotos(visit);
  await photos(visit).nth(0).focus();
  await markHalfSecond(page);
  await page.keyboard.press('Enter');
  await visit.sees('1 / 3');
  await page.keyboard.press('ArrowRight');
  await visit.sees('2 / 3');
  await visit.sees('Stand 1');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await visit.sees('1 / 3');
  // Half a second after it opens, a dialog without the focus takes it, for VoiceOver. No user closes another dialog
  // above it that quickly.
  await page.locator('html[data-waited]').waitFor();
  await visit.button(words.photos.editCaption).focus();
  await page.keyboard.press('Enter');
  const caption = page
    .getByRole('dialog', { name: words.photos.editCaption })
    .getByLabel(words.photos.caption);
  await caption.fill('Two stand!');
  // The arrow keys now move within the text.
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.type('s');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await visit.sees(words.photos.captionUpdated);
  await visit.sees('1 / 3');
  await expect.poll(() => hasFocus(visit.button(words.photos.editCaption))).toBe(true);
  // Back closes only the topmost layer.
  await page.keyboard.press('Enter');
  await caption.waitFor();
  await page.goBack();
  await caption.waitFor({ state: 'hidden' });
  await visit.sees('1 / 3');
  await page.keyboard.press('Escape');
  await viewer(visit).waitFor({ state: 'hidden' });
  await expect.poll(() => hasFocus(photos(visit).nth(0))).toBe(true);
  await visit.sees('Two stands!');
});

test('a deleted photo can be restored in place', async () => {
  await uploaded(2);
  const visit = await open(district, { as: volunteer });
  await openPhotos(visit);
  await visit.press(visit.button('Delete Photo of Book fair').first());
  await visit.sees(words.photos.confirmDelete);
  await visit.press(visit.button(words.web.delete));
  await visit.sees(words.photos.deleted);
  await visit.sees('1 photo');
  await visit.press(visit.page.getByRole('button', { name: /^Undo.*restore/ }));
  await visit.sees('2 photos');
  expect(await photos(visit).count()).toBe(2);
});

test('a photo is approved for everyone, hidden by any viewer, and restored from the trash', async () => {
  await aSchool(district);
  const ada = await anAdministrator(district);
  const desk = await open(district, { as: ada, stored: { selectedSchoolId: String(school.id) } });
  const { page } = desk;
  const toPhotos = async () => {
    await page.reload();
    await desk.press(page.getByRole('tab', { name: /^Photos/ }));
  };
  await toAdminPanel(desk);
  await desk.press(page.getByRole('tab', { name: /^Photos/ }));
  // These settings apply to all schools.
  await page.getByLabel(words.schools.filter, { exact: true }).selectOption(words.schools.all);
  await desk.press(desk.button(words.photos.settingsPart));
  await desk.press(page.getByRole('checkbox', { name: words.photos.askConsent }));
  await desk.press(page.getByRole('checkbox', { name: words.photos.askReview }));
  await inFull(() => expectNoBarriers(page));
  await desk.press(desk.button(words.web.save));
  await desk.sees(words.photos.settingsSaved);

  const visit = await open(district, { as: volunteer });
  await openPhotos(visit);
  await choose(visit, [file('a.png', 'image/png', await drawn(400, 300).png().toBuffer())]);
  await visit.press(visit.button('Upload 1 photo'));
  await visit.sees(words.photos.consentRequired);
  await visit.press(visit.page.getByRole('checkbox', { name: /^Everyone in these photos/ }));
  await visit.press(visit.button('Upload 1 photo'));
  await visit.sees('1 photo uploaded. Others can see it after an administrator approves it.');
  await visit.sees(words.photos.waiting);

  await toPhotos();
  // The number on the tab opens exactly the photos that it counts.
  await desk.sees('By: Vera Lopez');
  await desk.press(page.getByRole('button', { name: /^Approve / }));
  await desk.sees(words.photos.nothingWaits);

  await visit.page.reload();
  await openPhotos(visit);
  await visit.press(photos(visit).first());
  await visit.press(visit.button(words.photos.takeDownAsk));
  await visit.press(visit.button(words.photos.takeDown));
  await viewer(visit).waitFor({ state: 'hidden' });
  await visit.sees(words.photos.noneInActivity);

  await toPhotos();
  await desk.sees('Vera Lopez asked to take it down');
  await inFull(() => expectNoBarriers(page));
  await desk.press(page.getByRole('button', { name: /^Delete / }));
  await desk.sees(words.photos.nothingWaits);
  // Other tests leave photos with the same name in the trash.
  await page.getByLabel(words.schools.filter, { exact: true }).selectOption(String(school.id));
  await desk.press(desk.button(words.photos.trashPart));
  const picture = page.getByRole('img', { name: 'Photo of Book fair' });
  await expect.poll(() => picture.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBeGreaterThan(0);
  await inFull(() => expectNoBarriers(page));
  await desk.press(page.getByRole('button', { name: /^Restore / }));
  await desk.sees(words.photos.trashEmpty);
  await page.reload();
});
