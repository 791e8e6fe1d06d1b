import { expect, test } from 'vitest';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import en from '../messages.en.json' with { type: 'json' };
import es from '../messages.es.json' with { type: 'json' };
import { IMPORTED, importedCategory } from './imported-category.ts';

test('an import goes on with the category of an earlier one, whose administrator may read another language', () => {
  expect(importedCategory(['Events', 'Horas importadas'])).toBe('Horas importadas');
  expect(importedCategory(['Events', 'imported hours'])).toBe('imported hours');
});

test('without one it takes the first category of the school', () => {
  expect(importedCategory(['Events', 'Sports'])).toBe('Events');
  expect(importedCategory([])).toBeUndefined();
});

test('the names are those of the texts', () => {
  expect(LANGUAGES.map((language) => IMPORTED[language])).toEqual([en.newCategory, es.newCategory]);
});
