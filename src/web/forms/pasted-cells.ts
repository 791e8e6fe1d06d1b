import { normalizeText } from '#shared/text-normalization.ts';

/** Splits text into cells and drops empty rows. A quoted cell may contain delimiters and line breaks. */
export function cellsOf(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cell = new RegExp(`("(?:[^"]|"")*"|[^${delimiter}\\r\\n]*)(${delimiter}|\\r\\n|\\r|\\n|$)`, 'g');
  for (const [, content = '', end] of text.matchAll(cell)) {
    row.push(content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content);
    if (end === delimiter) continue;
    if (row.some((one) => normalizeText(one) !== '')) rows.push(row);
    row = [];
  }
  return rows;
}
