import { clean, fold } from '#shared/text-normalization.ts';
import { cellsOf } from '#web/forms/pasted-cells.ts';

/** A line of a pasted list of names, with what it is called in another language. */
export type PastedTranslation = Readonly<{ name: string; translation: string }>;

/** What the columns may be called in the first line, in the language of the page. */
export type TranslationHeaders = Readonly<{ name: readonly string[]; translation: readonly string[] }>;

/**
 * The names in pasted text: the first two columns of a spreadsheet (tabs) or of a CSV file. A first line that names the
 * columns says which they are, and is none itself.
 */
export function namesIn(text: string, heads: TranslationHeaders): PastedTranslation[] {
  const rows = rowsOf(text.replace(/^\uFEFF/, ''));
  const [first = []] = rows;
  const at = (some: readonly string[]) =>
    first.findIndex((cell) => some.some((head) => fold(head) === fold(cell)));
  const [name, translation] = [at(heads.name), at(heads.translation)];
  const hasHeads = name !== -1 && translation !== -1;
  const cell = (cells: readonly string[], column: number) => clean(cells[column] ?? '');
  return rows.slice(hasHeads ? 1 : 0).map((cells) => ({
    name: cell(cells, hasHeads ? name : 0),
    translation: cell(cells, hasHeads ? translation : 1),
  }));
}

/** The same as text, as a spreadsheet takes it. */
export function asPasted(names: readonly PastedTranslation[]): string {
  return names.map(({ name, translation }) => `${name}\t${translation}`).join('\n');
}

// Names may hold commas: one parts columns only where the first line has exactly one of it.
function rowsOf(text: string): string[][] {
  if (text.includes('\t')) return cellsOf(text, '\t');
  const [first = ''] = text.trimStart().split(/\r\n|\r|\n/);
  const delimiter = [';', ','].find((sign) => cellsOf(first, sign)[0]?.length === 2);
  return cellsOf(text, delimiter ?? '\t');
}
