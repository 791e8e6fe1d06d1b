import { expect, test } from 'vitest';
import { commonMessages } from '#shared/common-messages.ts';
import { throwIfStale } from './change-checks.ts';

test.each([
  ['no version is accepted', undefined, false],
  ['the stored version is accepted', 3, false],
  ['an older version is rejected', 2, true],
  ['a later version is rejected', 4, true],
])('an edit based on %s', (_, seen, isRefused) => {
  const change = () => throwIfStale(seen, { version: 3 });
  if (isRefused) expect(change).toThrow(expect.objectContaining({ text: commonMessages.changedElsewhere }));
  else expect(change).not.toThrow();
});
