import { expect, test } from 'vitest';
import { readListFile } from './read-text-file.ts';

test.each([
  ['UTF-8', [0x5a, 0x6f, 0xc3, 0xab]],
  ['UTF-8 with a byte order mark', [0xef, 0xbb, 0xbf, 0x5a, 0x6f, 0xc3, 0xab]],
  ['UTF-16, as Excel saves Unicode text', [0xff, 0xfe, 0x5a, 0, 0x6f, 0, 0xeb, 0]],
  ['Windows-1252, as Excel saves CSV', [0x5a, 0x6f, 0xeb]],
])('readListFile reads accented letters in %s', async (_what, bytes) => {
  expect(await readListFile(new Blob([new Uint8Array(bytes)]))).toBe('Zoë');
});
