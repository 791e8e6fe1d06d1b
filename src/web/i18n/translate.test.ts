import { expect, test } from 'vitest';
import { addLazyMessages, type MessageKey, t } from './translate.ts';

test('t() finds a lazily loaded message that was missing before', () => {
  const key = 'late:hello' as MessageKey;
  expect(t(key)).toBe('hello');
  addLazyMessages({ late: { hello: 'Good morning' } });
  expect([t(key), t(key)]).toEqual(['Good morning', 'Good morning']);
});

test('t() formats the same message with different values', () => {
  addLazyMessages({ late: { rows: '{{name}} is here' } });
  const key = 'late:rows' as MessageKey;
  expect([t(key, { name: 'Ana' }), t(key, { name: 'Bo' })]).toEqual(['Ana is here', 'Bo is here']);
});
