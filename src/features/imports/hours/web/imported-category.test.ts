import { expect, test } from 'vitest';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import en from '../messages.staff.en.json' with { type: 'json' };
import es from '../messages.staff.es.json' with { type: 'json' };
import { IMPORTED_CATEGORY_NAMES, importedCategory } from './imported-category.ts';

test('importedCategory reuses the category of an earlier import in any language', () => {
  expect(importedCategory(['Events', 'Horas importadas'])).toBe('Horas importadas');
  expect(importedCategory(['Events', 'imported hours'])).toBe('imported hours');
});

test("importedCategory falls back to the school's first category", () => {
  expect(importedCategory(['Events', 'Sports'])).toBe('Events');
  expect(importedCategory([])).toBeUndefined();
});

test('the names of the import category match the messages', () => {
  expect(LANGUAGES.map((language) => IMPORTED_CATEGORY_NAMES[language])).toEqual([
    en.newCategory,
    es.newCategory,
  ]);
});
