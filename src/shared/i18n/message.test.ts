import { expect, test } from 'vitest';
import { en } from './english-messages.ts';
import { messageFactory, readMessage } from './message.ts';
import { createMessageCatalog, render } from './message-catalog.ts';

const say = messageFactory<{ tooLong: string }>('shared');

test('a message is serialized with its values into a plain string', () => {
  const message = say('tooLong', { max: 5 });
  expect(readMessage(`${message}`)).toEqual({ key: 'shared:tooLong', values: { max: 5 } });
});

test.each(['Invalid input', 'expected string', 'https://example.org', '', 'shared:tooLong {'])(
  '%j is not a message',
  (text) => {
    expect(readMessage(text)).toBeUndefined();
  },
);

test('a rendered message shows user input literally, even if it looks like a placeholder', () => {
  const catalogue = createMessageCatalog('en', en);
  const typed = '<b>{{max}}</b> $t(base:notFound) "\\';
  expect(
    render(catalogue, messageFactory<{ tooLong: string }>('shared')('tooLong', { max: typed }), ''),
  ).toBe(`Use up to ${typed} characters`);
});
