import { expect, test } from 'vitest';
import { acceptedLanguage } from './languages.ts';

test.each([
  ['nothing', undefined, undefined],
  ['an empty list', '', undefined],
  ['only languages that are not spoken', 'de, fr;q=0.5', undefined],
  ['Spanish rather than English', 'en;q=0.4, es;q=0.5', 'es'],
  ['one it likes better, and then Spanish', 'de, es;q=0.9, en;q=0.8', 'es'],
  ['anything but Spanish', 'es;q=0, en;q=0.1', 'en'],
  ['the Spanish of one country', 'ES-us', 'es'],
  ['very much', `${'x,'.repeat(10_000)}es`, undefined],
  ['something unreadable', ';;q=,=, es;q=9', 'es'],
])('a browser that asks for %s', (_what, header, language) => {
  expect(acceptedLanguage(['en', 'es'], header)).toBe(language);
});
