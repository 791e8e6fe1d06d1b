import { expect, test } from 'vitest';
import { bringTexts, type TextKey, t } from './translate.ts';

test('a text that was looked for before its part came is found once it is there', () => {
  const key = 'late:hello' as TextKey;
  expect(t(key)).toBe('hello');
  bringTexts({ late: { hello: 'Good morning' } });
  expect([t(key), t(key)]).toEqual(['Good morning', 'Good morning']);
});

test('a text with values is made for each of them', () => {
  bringTexts({ late: { rows: '{{name}} is here' } });
  const key = 'late:rows' as TextKey;
  expect([t(key, { name: 'Ana' }), t(key, { name: 'Bo' })]).toEqual(['Ana is here', 'Bo is here']);
});
