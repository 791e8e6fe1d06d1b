import { expect, test } from 'vitest';
import { loadCatalogue, render } from '#text/catalogue.ts';
import { en } from '#text/en.ts';
import { readMessage, sayFrom } from './message.ts';

const say = sayFrom<{ tooLong: string }>('base');

test('a message carries its values through a plain string', () => {
  const message = say('tooLong', { max: 5 });
  expect(readMessage(`${message}`)).toEqual({ key: 'base:tooLong', values: { max: 5 } });
});

test.each(['Invalid input', 'expected string', 'https://example.org', '', 'base:tooLong {'])(
  '%j is no message',
  (text) => {
    expect(readMessage(text)).toBeUndefined();
  },
);

test('what a person typed is shown as it is, even when it looks like a placeholder', () => {
  const catalogue = loadCatalogue('en', en);
  const typed = '<b>{{max}}</b> $t(base:notFound) "\\';
  expect(render(catalogue, sayFrom<{ tooLong: string }>('base')('tooLong', { max: typed }), '')).toBe(
    `At most ${typed} characters`,
  );
});
