import colorNames from 'color-name';
import { foldForSearch, normalizeText } from '#shared/text-normalization.ts';

/** A category of a pasted list. Without a color it gets an unused one. */
export type PastedCategory = Readonly<{ name: string; color?: string }>;

const HEX = /^#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
/**
 * Parses pasted categories: one name per line or cell. The second of two cells may be a color, and a line may end with
 * a hex color such as #2b6cb0. Skips a header row.
 */
export function parsePastedCategories(pasted: string): PastedCategory[] {
  const lines = pasted.split(/\r\n|\r|\n/).map((line) => line.split('\t').map(normalizeText));
  const rows = lines.filter((cells) => cells.some((cell) => cell !== ''));
  const [first] = rows;
  return (first !== undefined && isHeading(first) ? rows.slice(1) : rows).flatMap(parseRow);
}

function isHeading([, color = '', ...rest]: readonly string[]): boolean {
  return /^colou?r$/.test(foldForSearch(color)) && rest.every((cell) => cell === '');
}

function parseRow(cells: readonly string[]): PastedCategory[] {
  const [name = '', color = '', ...rest] = cells;
  if (name !== '' && isColor(color) && rest.every((cell) => cell === '')) return [{ name, color }];
  return cells.filter((cell) => cell !== '').map(splitHexColor);
}

// Only a hex color counts after a name, because 'Autumn Orange' is a name.
function splitHexColor(cell: string): PastedCategory {
  const at = Math.max(cell.lastIndexOf('#'), 0);
  const [before, color] = [cell.slice(0, at), cell.slice(at)];
  const name = before.replace(/[\s,;]+$/, '');
  return name !== '' && name !== before && HEX.test(color) ? { name, color } : { name: cell };
}

function isColor(text: string): boolean {
  return HEX.test(text) || Object.hasOwn(colorNames, text.toLowerCase());
}
