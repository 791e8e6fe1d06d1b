import { expect, test } from 'vitest';
import { isSubject, wordsIn } from '../scripts/prose.mjs';

test('the prose check finds a banned word in comments and documents, with its line', () => {
  expect(wordsIn('a.ts', 'const a = 1;\n// For whoever asks.')).toEqual(['a.ts:2 whoever']);
  expect(wordsIn('a.ts', '/** Not so\n * many of them. */')).toEqual(['a.ts:1 so many']);
  expect(wordsIn('a.tsx', ['<p>\n  {/* ', 'anew', ' */}\n</p>'].join(''))).toEqual(['a.tsx:2 anew']);
  expect(wordsIn('a.md', 'It is fine.\n\nWhoever asks.')).toEqual(['a.md:3 Whoever']);
});

test('the prose check ignores code, quotations and longer words', () => {
  expect(wordsIn('a.ts', "const whoever = 'so many'; // like 'whoever'\nglob('src/*/anew/*.ts');")).toEqual(
    [],
  );
  expect(wordsIn('a.md', 'It says “whoever” and `anew`.\n> so many\n\nThis told amidst.')).toEqual([]);
});

test.each([
  ['fix(auth): end provider sessions when the email changes', true],
  ['docs: rewrite the operations guide', true],
  ['refactor!: rename rooms to features', true],
  ['Hold by a test that a summary asks no other process', false],
  ['fixed: the list', false],
  [`fix: ${'x'.repeat(68)}`, false],
])('the commit subject "%s" is valid: %s', (subject, isTaken) => {
  expect(isSubject(subject)).toBe(isTaken);
});
