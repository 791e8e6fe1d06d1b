import { expect, test } from 'vitest';
import { addLazyMessages, type MessageKey, t } from './translate.ts';

test('a text that was looked for before its part came is found once it is there', () => {
  const key = 'late:hello' as MessageKey;
  expect(t(key)).toBe('hello');
  addLazyMessages({ late: { hello: 'Good morning' } });
  expect([t(key), t(key)]).toEqual(['Good morning', 'Good morning']);
});

test('a text with values is made for each of them', () => {
  addLazyMessages({ late: { rows: '{{name}} is here' } });
  const key = 'late:rows' as MessageKey;
  expect([t(key, { name: 'Ana' }), t(key, { name: 'Bo' })]).toEqual(['Ana is here', 'Bo is here']);
});
