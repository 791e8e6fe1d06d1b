import { describe, expect, test } from 'vitest';
import { CaptionChange, canChangePhoto, messages, PhotoSettingsChange, PhotoUpload } from './contract.ts';

describe('permission to change a photo', () => {
  test.each([
    [
      'a member of the school can, by default',
      { userId: 1, isMember: true, isManager: false },
      'members',
      true,
    ],
    [
      'a member cannot if only uploaders can',
      { userId: 1, isMember: true, isManager: false },
      'uploader',
      false,
    ],
    ['the uploader can', { userId: 7, isMember: true, isManager: false }, 'uploader', true],
    [
      'a viewer who is not a member cannot',
      { userId: 1, isMember: false, isManager: false },
      'members',
      false,
    ],
    ['an administrator can', { userId: 1, isMember: false, isManager: true }, 'uploader', true],
  ] as const)('%s', (_, viewer, managers, may) => {
    expect(canChangePhoto(viewer, 7, managers)).toBe(may);
  });
});

describe('photo upload', () => {
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

  test('omits a checkbox that was not sent', () => {
    expect(PhotoUpload.parse({})).toEqual({});
  });
});

test('limits a caption to 500 characters, and turns a blank one into null', () => {
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
