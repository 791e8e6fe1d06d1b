import { expect, test } from 'vitest';
import { en } from '#shared/i18n/english-messages.ts';
import { createTranslators, loadMessages } from './translator.ts';

test("loadMessages('en') returns the same messages as the typed English catalog", () => {
  expect(loadMessages('en')).toEqual(en);
});

test('a translator preserves its language across await, and otherwise uses the first language', async () => {
  const speech = createTranslators();
  const listener = { language: 'en' } as const;
  const said = await speech.withLocale(listener, async () => {
    await new Promise((go) => setImmediate(go));
    return speech.translator.t('shared:notFound');
  });
  expect(said).toBe(en.shared.notFound);
  expect(speech.translator.language).toBe('en');
});
