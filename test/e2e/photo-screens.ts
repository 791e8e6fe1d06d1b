import { drawn } from '../images/draw-image.ts';
import type { Visit } from './browser.ts';

import type { Screen } from './screens.ts';
import { saying, words } from './spoken-language.ts';

async function manage(visit: Visit) {
  await visit.page.goto('/');
  await visit.press(visit.page.getByRole('tab', { name: words.web.managePhotos }));
  await visit.button(words.photos.viewAll).waitFor();
}

async function ofFair(visit: Visit) {
  await manage(visit);
  await visit.press(visit.page.getByRole('button', { name: /^Book fair/ }));
  await visit.button(words.photos.choose).waitFor();
}

async function chosen(visit: Visit) {
  await ofFair(visit);
  const pictures = await Promise.all(
    [400, 300].map(async (width) => ({
      name: `A name that is as long as some cameras make them ${width}.png`,
      mimeType: 'image/png',
      buffer: await drawn(width, 300).png().toBuffer(),
    })),
  );
  const list = { name: 'list.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') };
  await visit.page.locator('input[type="file"][multiple]').setInputFiles([...pictures, list]);
  await visit.button(saying('photos:upload', { count: 2 })).waitFor();
}

async function gallery(visit: Visit) {
  await chosen(visit);
  await visit.press(visit.button(saying('photos:upload', { count: 2 })));
  await visit.button(saying('web:remove', { name: 'list.pdf' })).waitFor();
  await visit.page.locator('[data-photo]').nth(1).waitFor();
}

async function viewer(visit: Visit) {
  await ofFair(visit);
  await visit.press(visit.page.locator('[data-photo]').first());
  await visit.page.getByRole('dialog', { name: words.photos.viewer }).waitFor();
}

/** The states of Manage Photos. Later ones show what earlier ones uploaded. */
export const PHOTO_SCREENS: readonly Screen[] = [
  ['whose photos to look at', 'volunteer', manage],
  ['files that wait for their upload', 'volunteer', chosen],
  ['a gallery', 'volunteer', gallery],
  ['the viewer', 'volunteer', viewer],
  [
    'a photo to take down',
    'volunteer',
    async (visit) => {
      await viewer(visit);
      await visit.press(visit.button(words.photos.takeDownAsk));
      await visit.page.getByRole('dialog', { name: words.photos.takeDownTitle }).waitFor();
    },
  ],
];
