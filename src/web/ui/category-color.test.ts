import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chipColors, contrast, parseHex, type Rgb, type Theme } from './category-color.ts';

const channel = fc.integer({ min: 0, max: 255 });
const color = fc.tuple(channel, channel, channel);

function rgb(hex: string): Rgb {
  return parseHex(hex) ?? [0, 0, 0];
}

describe('category colors', () => {
  test.each([
    ['#3498db', [0x34, 0x98, 0xdb]],
    ['#ABC', [0xaa, 0xbb, 0xcc]],
    ['#3498db80', [0x34, 0x98, 0xdb]],
    ['tomato', undefined],
    ['#12', undefined],
  ])('parseHex reads %s as %j', (text, expected) => {
    expect(parseHex(text)).toEqual(expected);
  });

  test('contrast is 21 between black and white and 1 between equal colors', () => {
    expect(contrast([0, 0, 0], [255, 255, 255])).toBeCloseTo(21);
    expect(contrast([9, 9, 9], [9, 9, 9])).toBe(1);
  });

  test.each<Theme>(['light', 'dark'])(
    'chipColors gives readable text on a chip of any color in the %s theme',
    (theme) => {
      fc.assert(
        fc.property(color, (chosen) => {
          const { background, text } = chipColors(chosen, theme);
          expect(contrast(rgb(background), rgb(text))).toBeGreaterThanOrEqual(4.5);
        }),
        { numRuns: 2000 },
      );
    },
  );

  test('chipColors keeps a color that is already readable', () => {
    expect(chipColors([0x0f, 0x40, 0x30], 'light').text).toBe('#0f4030');
  });
});
