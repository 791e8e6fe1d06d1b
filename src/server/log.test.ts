import { expect, test } from 'vitest';
import { baseMessages } from '#base/messages.ts';
import { refuse } from '#base/refusal.ts';
import { described } from './log.ts';

test('the log says what was refused in a sentence, and where a bug is', () => {
  expect(described(refuse.unavailable(baseMessages.diskFull, 5))).toEqual({
    type: 'Refusal',
    message: 'The disk is full. Nothing was saved. Please tell your administrator.',
  });
  expect(described(new Error('a bug'))).toMatchObject({ message: 'a bug', stack: expect.any(String) });
});
