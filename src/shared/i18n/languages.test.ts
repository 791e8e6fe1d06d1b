import { expect, test } from 'vitest';
import { acceptedLanguage } from './languages.ts';

test.each([
  ['nothing gets no language', undefined, undefined],
  ['an empty list gets no language', '', undefined],
  ['only unsupported languages gets no language', 'de, fr;q=0.5', undefined],
  ['Spanish rather than English gets Spanish', 'en;q=0.4, es;q=0.5', 'es'],
  ['an unsupported language, and then Spanish, gets Spanish', 'de, es;q=0.9, en;q=0.8', 'es'],
  ['anything but Spanish gets English', 'es;q=0, en;q=0.1', 'en'],
  ['the Spanish of one country gets Spanish', 'ES-us', 'es'],
  ['a very long list gets no language', `${'x,'.repeat(10_000)}es`, undefined],
  ['something unreadable, and Spanish, gets Spanish', ';;q=,=, es;q=9', 'es'],
])('a browser that asks for %s', (_what, header, language) => {
  expect(acceptedLanguage(['en', 'es'], header)).toBe(language);
});
