import { expect, test } from 'vitest';
import { en } from '#text/en.ts';
import { openSpeech } from './speech.ts';
import { textsIn } from './texts-in.ts';

test('the server says what stands in the files, which are those that the browser’s types name', () => {
  expect(textsIn('en')).toEqual(en);
});

test('what is said keeps its listener through waiting, and goes on in the first language without one', async () => {
  const speech = openSpeech();
  const listener = { language: 'en' } as const;
  const said = await speech.speakingTo(listener, async () => {
    await new Promise((go) => setImmediate(go));
    return speech.catalogue.t('base:notFound');
  });
  expect(said).toBe(en.base.notFound);
  expect(speech.catalogue.language).toBe('en');
});
