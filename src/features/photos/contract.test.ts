import { describe, expect, test } from 'vitest';
import { CaptionChange, canChangePhoto, messages, PhotoSettingsChange, PhotoUpload } from './contract.ts';

describe('permission to change a photo', () => {
  test.each([
    [
      'is given to every member of the school by default',
      { userId: 1, isMember: true, isManager: false },
      'members',
      true,
    ],
    [
      'is denied to other members if only the uploader may',
      { userId: 1, isMember: true, isManager: false },
      'uploader',
      false,
    ],
    [
      'is given to the uploader if only the uploader may',
      { userId: 7, isMember: true, isManager: false },
      'uploader',
      true,
    ],
    [
      'is denied to a viewer who is not a member',
      { userId: 1, isMember: false, isManager: false },
      'members',
      false,
    ],
    [
      'is given to an administrator even if only the uploader may',
      { userId: 1, isMember: false, isManager: true },
      'uploader',
      true,
    ],
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
  ])('reads the checkbox value %j as %j', (sent, isTicked) => {
    expect(PhotoUpload.parse({ consent: sent, containsStudents: sent })).toEqual({
      consent: isTicked,
      containsStudents: isTicked,
    });
  });

  test('omits a checkbox that was not sent', () => {
    expect(PhotoUpload.parse({})).toEqual({});
  });
});

test('a caption can have up to 500 characters, and a blank one becomes null', () => {
  const said = (caption: string) => CaptionChange.safeParse({ caption }).error?.issues[0]?.message;
  expect([said('x'.repeat(500)), said('x'.repeat(501))]).toEqual([undefined, messages.captionTooLong]);
  expect(CaptionChange.parse({ caption: ' ' })).toEqual({ caption: null });
});

test('photo settings reject a blank or long consent text, invalid recipients, and more than 50 of them', () => {
  const said = (change: object) => PhotoSettingsChange.safeParse(change).error?.issues[0]?.message;
  expect(said({ consentText: ' ' })).toBe(messages.consentTextRequired);
  expect(said({ consentText: 'x'.repeat(501) })).toBe(messages.consentTextTooLong);
  expect(said({ consentText: 'x'.repeat(500), notify: Array(50).fill(1) })).toBeUndefined();
  expect(said({ notify: Array(51).fill(1) })).toBeDefined();
  expect(said({ notify: [0] })).toBe(messages.notifyAdministrators);
});
