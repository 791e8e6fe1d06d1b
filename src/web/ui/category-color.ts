/** Users choose category colors freely; these functions keep text on and next to them readable. */

export type Rgb = readonly [red: number, green: number, blue: number];
export type Theme = 'light' | 'dark';

const CARDS: Record<Theme, Rgb> = { light: [255, 255, 255], dark: [0x19, 0x1f, 0x1c] };
const TINT: Record<Theme, number> = { light: 0.12, dark: 0.18 };
const READABLE = 4.5;

/** Parses '#abc', '#aabbcc' and '#aabbccdd' (ignoring the opacity); undefined for anything else. */
export function parseHex(color: string): Rgb | undefined {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])[0-9a-f]?$/i.exec(color);
  const long = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})(?:[0-9a-f]{2})?$/i.exec(color);
  const parts = short?.slice(1).map((digit) => digit + digit) ?? long?.slice(1);
  if (parts === undefined) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.map((part) => Number.parseInt(part, 16));
  return [red, green, blue];
}

/** Returns the contrast ratio of two colors, 1 to 21 (WCAG 2). */
export function contrast(a: Rgb, b: Rgb): number {
  const [lighter, darker] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return ((lighter ?? 0) + 0.05) / ((darker ?? 0) + 0.05);
}

/**
 * Returns the colors of a category's chip: a tint over the card, and text of the same hue, dark or light enough to
 * read.
 */
export function chipColors(color: Rgb, theme: Theme): { background: string; text: string } {
  const background = mix(CARDS[theme], color, TINT[theme]);
  return { background: hex(background), text: hex(readableOn(background, color, theme)) };
}

// Mixes toward black on light cards and toward white on dark ones, in 40 steps, until the text is readable.
function readableOn(background: Rgb, color: Rgb, theme: Theme): Rgb {
  const end: Rgb = theme === 'light' ? [0, 0, 0] : [255, 255, 255];
  for (let step = 0; step < 40; step++) {
    const text = mix(color, end, step / 40);
    if (contrast(text, background) >= READABLE) return text;
  }
  return end;
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return [
    Math.round(from[0] + (to[0] - from[0]) * share),
    Math.round(from[1] + (to[1] - from[1]) * share),
    Math.round(from[2] + (to[2] - from[2]) * share),
  ];
}

function luminance([red, green, blue]: Rgb): number {
  const [r, g, b] = [linear(red), linear(green), linear(blue)];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Returns a channel of 0 to 255 as linear light, 0 to 1. */
export function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

/** Returns a color as '#rrggbb'. */
export function hex(color: Rgb): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
