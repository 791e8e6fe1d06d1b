import { linear, type Rgb } from '../category-color.ts';

/** Below this, two 14 px dots look like the same color at a glance. */
const ALIKE = 0.08;

/**
 * Returns the visible difference between two colors: their distance in OKLab, 0 for equal colors, 1 between black and
 * white.
 */
export function distance(a: Rgb, b: Rgb): number {
  const [first, second] = [oklab(a), oklab(b)];
  return Math.hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

/** Whether two colors are easily confused. */
export function looksAlike(a: Rgb, b: Rgb): boolean {
  return distance(a, b) < ALIKE;
}

// Björn Ottosson's OKLab: from sRGB to linear light, to cone responses, to lightness and two opponent axes.
function oklab(color: Rgb): Rgb {
  const [r, g, b] = [linear(color[0]), linear(color[1]), linear(color[2])];
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}
