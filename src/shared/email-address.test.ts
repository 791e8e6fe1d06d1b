import { expect, test } from 'vitest';
import { canonicalMailbox, canonicalOwner, cleanEmail } from './email-address.ts';

test.each([
  ['Ann@Example.org', 'ann@example.org'],
  [' ann@example.org ', 'ann@example.org'],
  ['a.n.n+hours@gmail.com', 'ann@gmail.com'],
  ['Ann@GoogleMail.com', 'ann@gmail.com'],
  ['ann+hours@outlook.com', 'ann@outlook.com'],
])('the address %s reaches the mailbox %s', (address, mailbox) => {
  expect(canonicalMailbox(address)).toBe(mailbox);
});

test('dots and tags are part of the name, except at providers known to ignore them', () => {
  expect(canonicalMailbox('ann.lee@district.example')).not.toBe(canonicalMailbox('annlee@district.example'));
  expect(canonicalMailbox('ann+lee@district.example')).not.toBe(canonicalMailbox('ann@district.example'));
  expect(canonicalMailbox('a.nn@outlook.com')).not.toBe(canonicalMailbox('ann@outlook.com'));
});

test('canonicalMailbox accepts strings that are not addresses', () => {
  expect(canonicalMailbox('')).toBe('@');
  expect(canonicalMailbox('nobody')).toBe('nobody@');
});

test.each([
  '\u200Bann@school.example',
  'ann\u200D@school.example',
  ' mailto:ann@school.example\n',
  'MAILTO:ann@school\u00AD.example',
])('cleanEmail reduces %j to the plain address', (copied) => {
  expect(cleanEmail(copied)).toBe('ann@school.example');
});

test('cleanEmail replaces look-alike characters with the letters they look like', () => {
  expect(cleanEmail('\u212Aate@school.example')).toBe('Kate@school.example');
});

test.each([
  ['ann+hours@district.example', 'ann@district.example'],
  ['ann@district.example.', 'ann@district.example'],
  ['an\u200Bn@district.example', 'ann@district.example'],
  ['ann@dis\u00ADtrict.example', 'ann@district.example'],
  ['ann@sch\u00FCle.example', 'ann@xn--schle-mva.example'],
  ['ann@district\u3002example', 'ann@district.example'],
  ['a.nn+x@googlemail.com.', 'ann@gmail.com'],
  ['ANN@District.Example', 'ann@district.example'],
  ['ann@me.com', 'ann@icloud.com'],
  ['ann+hours@mac.com', 'ann@Me.com'],
  ['ann@pm.me', 'ann@proton.me'],
  ['ann@protonmail.com', 'ann@proton.me'],
])('the address %s belongs to the owner of %s', (address, other) => {
  expect(canonicalOwner(address)).toBe(canonicalOwner(other));
});

test('addresses with different names or domains belong to different owners', () => {
  const all = [
    'ann@a.example',
    'anne@a.example',
    'ann@b.example',
    'a.nn@a.example',
    '+ann@a.example',
    'nobody',
  ];
  expect(new Set(all.map(canonicalOwner)).size).toBe(all.length);
});
