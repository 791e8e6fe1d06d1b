import { expect, test } from 'vitest';
import { en } from '#shared/i18n/english-messages.ts';
import { createTranslators, loadMessages } from './translator.ts';

test('the server says what stands in the files, which are those that the browser’s types name', () => {
  expect(loadMessages('en')).toEqual(en);
});

test('what is said keeps its listener through waiting, and goes on in the first language without one', async () => {
  const speech = createTranslators();
  const listener = { language: 'en' } as const;
  const said = await speech.withLocale(listener, async () => {
    await new Promise((go) => setImmediate(go));
    return speech.translator.t('shared:notFound');
  });
  expect(said).toBe(en.shared.notFound);
  expect(speech.translator.language).toBe('en');
});
