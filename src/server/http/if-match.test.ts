import { expect, test } from 'vitest';
import { commonMessages } from '#shared/common-messages.ts';
import { throwIfStale } from './change-checks.ts';

test.each([
  ['none', undefined, false],
  ['the stored one', 3, false],
  ['an older one', 2, true],
  ['a later one', 4, true],
])('an edit based on a version: %s', (_, seen, isRefused) => {
  const change = () => throwIfStale(seen, { version: 3 });
  if (isRefused) expect(change).toThrow(expect.objectContaining({ text: commonMessages.changedElsewhere }));
  else expect(change).not.toThrow();
});
