import { expect, test } from 'vitest';
import { createMessageCatalog } from './message-catalog.ts';

test('a message catalog inserts a value literally, whatever characters it has', () => {
  const catalogue = createMessageCatalog('en', { base: { hello: 'Good morning, {{name}}', quote: 'Hello' } });
  const name = '{{name}} $1 $& $t(base:quote) <b>';
  expect(catalogue.t('base:hello', { name })).toBe(`Good morning, ${name}`);
});
