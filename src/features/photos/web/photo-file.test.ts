import { expect, test } from 'vitest';
import '#app/web/volunteer-messages.ts';
import { say } from '#web/i18n/translate.ts';
import { fileProblem } from './photo-file.ts';

const file = (name: string, type: string, size = 1000) => ({ name, type, size });
const problem = (name: string, type: string, size?: number) => {
  const found = fileProblem(file(name, type, size));
  return found === undefined ? undefined : say(found);
};

test.each([
  ['a.jpg', 'image/jpeg'],
  ['a.png', 'image/png'],
  ['a.gif', 'image/gif'],
  ['a.webp', 'image/webp'],
  ['a.heic', 'image/heic'],
  ['a.heif', 'image/heif'],
  ['IMG_1.HEIC', ''],
  ['IMG_1.heif', 'application/octet-stream'],
])('the file check accepts %s of type "%s"', (name, type) => {
  expect(problem(name, type)).toBeUndefined();
});

test('the file check rejects an empty file', () => {
  expect(problem('a.jpg', 'image/jpeg', 0)).toBe('a.jpg: The file is empty');
});

test.each([
  ['list.pdf', 'application/pdf', 'application/pdf'],
  ['logo.svg', 'image/svg+xml', 'image/svg+xml'],
  ['notes.xyz', '', '.xyz'],
  ['notes', '', '?'],
  ['evil.heic', 'text/html', 'text/html'],
])('the file check rejects %s because of its type', (name, type, told) => {
  expect(problem(name, type)).toBe(
    `${name}: Invalid file type (${told}). Only JPEG, PNG, GIF, WebP, and HEIC are allowed.`,
  );
});

test('the file check accepts 15,728,640 bytes and rejects one more', () => {
  expect(problem('a.jpg', 'image/jpeg', 15_728_640)).toBeUndefined();
  expect(problem('a.jpg', 'image/jpeg', 15_728_641)).toBe('File too large. Maximum size is 10MB.');
});
