import { expect, test } from 'vitest';
import { en } from '#shared/i18n/english-messages.ts';
import { createTranslators, textsIn } from './translator.ts';

test('the server says what stands in the files, which are those that the browser’s types name', () => {
  expect(textsIn('en')).toEqual(en);
});

test('what is said keeps its listener through waiting, and goes on in the first language without one', async () => {
  const speech = createTranslators();
  const listener = { language: 'en' } as const;
  const said = await speech.speakingTo(listener, async () => {
    await new Promise((go) => setImmediate(go));
    return speech.catalogue.t('shared:notFound');
  });
  expect(said).toBe(en.shared.notFound);
  expect(speech.catalogue.language).toBe('en');
});
