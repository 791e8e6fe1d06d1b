import { describe, expect, test } from 'vitest';
import { parseHex, type Rgb } from '../category-color.ts';
import { distance, looksAlike } from './color-distance.ts';

const rgb = (hex: string): Rgb => parseHex(hex) ?? [0, 0, 0];

describe('the distance between two colors', () => {
  test('is 0 for equal colors and 1 between black and white, in either order', () => {
    expect(distance(rgb('#3498db'), rgb('#3498db'))).toBe(0);
    expect(distance(rgb('#000000'), rgb('#ffffff'))).toBeCloseTo(1, 3);
    expect(distance(rgb('#ffffff'), rgb('#000000'))).toBeCloseTo(1, 3);
  });

  test.each([
    ['#3498db', '#2f95d6', true],
    ['#e74c3c', '#e2553f', true],
    ['#2ecc71', '#27ae60', false],
    ['#3498db', '#9b59b6', false],
    ['#e74c3c', '#e67e22', false],
    ['#f1c40f', '#f39c12', false],
  ])('makes %s and %s look alike: %s', (a, b, alike) => {
    expect(looksAlike(rgb(a), rgb(b))).toBe(alike);
  });
});
