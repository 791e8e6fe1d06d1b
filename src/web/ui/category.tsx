import { useSyncExternalStore } from 'react';
import { chipColors, parseHex, type Rgb, type Theme } from './category-color.ts';

/** A category's color as a dot. It never appears alone; the name is always next to it. */
export function CategoryDot({ color }: { color: string }) {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-3.5 shrink-0 rounded-full dot-edge forced-color-adjust-none print:hidden"
      style={{ backgroundColor: color }}
    />
  );
}

/** A category's name on a tint of its color, with a contrast of at least 4.5:1 in both themes. */
export function CategoryChip({ name, color }: { name: string; color: string }) {
  const theme = useSyncExternalStore(subscribe, currentTheme);
  const known = resolveColor(color);
  const style = known === undefined ? {} : chipStyle(known, theme);
  return (
    <span
      className="inline-flex max-w-full items-center gap-1.5 rounded-full bg-wash px-2.5 py-0.5 text-sm font-medium forced-colors:border"
      style={style}
    >
      <CategoryDot color={color} />
      <span className="min-w-0 wrap-anywhere">{name}</span>
    </span>
  );
}

/** Returns the style of a category's chip in a theme. */
export function chipStyle(color: Rgb, theme: Theme) {
  const { background, text } = chipColors(color, theme);
  return { backgroundColor: background, color: text };
}

const resolved = new Map<string, Rgb | undefined>();

/** Parses a CSS color. A canvas resolves names such as 'tomato' to #rrggbb. */
export function resolveColor(color: string): Rgb | undefined {
  const known = parseHex(color);
  if (known !== undefined) return known;
  if (!resolved.has(color)) {
    const pen = document.createElement('canvas').getContext('2d');
    if (pen === null || !CSS.supports('color', color)) return undefined;
    pen.fillStyle = color;
    resolved.set(color, parseHex(pen.fillStyle));
  }
  return resolved.get(color);
}

const DARK = '(prefers-color-scheme: dark)';

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset['theme'];
  if (chosen === 'light' || chosen === 'dark') return chosen;
  return matchMedia(DARK).matches ? 'dark' : 'light';
}

function subscribe(listener: () => void): () => void {
  const device = matchMedia(DARK);
  const chosen = new MutationObserver(listener);
  device.addEventListener('change', listener);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    device.removeEventListener('change', listener);
    chosen.disconnect();
  };
}
