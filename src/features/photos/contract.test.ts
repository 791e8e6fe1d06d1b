import { describe, expect, test } from 'vitest';
import { CaptionChange, canChangePhoto, messages, PhotoSettingsChange, PhotoUpload } from './contract.ts';

describe('who may change a photo', () => {
  test.each([
    ['any member of the school by default', { userId: 1, isMember: true, isManager: false }, 'members', true],
    [
      'a member, where only uploaders may',
      { userId: 1, isMember: true, isManager: false },
      'uploader',
      false,
    ],
    ['the uploader', { userId: 7, isMember: true, isManager: false }, 'uploader', true],
    ['a viewer who is not a member', { userId: 1, isMember: false, isManager: false }, 'members', false],
    ['an administrator', { userId: 1, isMember: false, isManager: true }, 'uploader', true],
  ] as const)('%s', (_, viewer, managers, may) => {
    expect(canChangePhoto(viewer, 7, managers)).toBe(may);
  });
});

describe('an upload', () => {
  test.each([
    ['true', true],
    [true, true],
    ['false', false],
    ['yes', false],
    [false, false],
  ])('reads the checkbox value %s', (sent, isTicked) => {
    expect(PhotoUpload.parse({ consent: sent, containsStudents: sent })).toEqual({
      consent: isTicked,
      containsStudents: isTicked,
    });
  });

  test('leaves out a checkbox that was not sent', () => {
    expect(PhotoUpload.parse({})).toEqual({});
  });
});

test('limits a caption to 500 characters and reads a blank one as none', () => {
  const said = (caption: string) => CaptionChange.safeParse({ caption }).error?.issues[0]?.message;
  expect([said('x'.repeat(500)), said('x'.repeat(501))]).toEqual([undefined, messages.captionTooLong]);
  expect(CaptionChange.parse({ caption: ' ' })).toEqual({ caption: null });
});

test('rejects a blank consent text and more than 50 recipients', () => {
  const said = (change: object) => PhotoSettingsChange.safeParse(change).error?.issues[0]?.message;
  expect(said({ consentText: ' ' })).toBe(messages.consentTextRequired);
  expect(said({ consentText: 'x'.repeat(501) })).toBe(messages.consentTextTooLong);
  expect(said({ consentText: 'x'.repeat(500), notify: Array(50).fill(1) })).toBeUndefined();
  expect(said({ notify: Array(51).fill(1) })).toBeDefined();
  expect(said({ notify: [0] })).toBe(messages.notifyAdministrators);
});
