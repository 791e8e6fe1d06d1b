/** Splits a text into its words, by default at commas: 'Alder, Blue Heron'. */
export function wordsOf(text: string, between: string | RegExp = /,\s+/): string[] {
  return text.trim().split(between);
}

/** Parses a table with one row per line and bars between cells. Empty and missing cells are null. */
export function rowsOf<const Column extends string>(
  columns: readonly Column[],
  text: string,
): Record<Column, string | null>[] {
  return wordsOf(text, /\s*\n\s*/).map((line) => {
    const cells = line.split('|').map((cell) => cell.trim());
    const row = columns.map((column, index) => [column, cells[index] || null] as const);
    return Object.fromEntries(row) as Record<Column, string | null>;
  });
}

/** The value of a cell that must not be empty. */
export function required<Cell extends string>(cell: string | null): Cell {
  if (cell === null) throw new Error('a cell of the table is empty');
  return cell as Cell;
}

/** Parses the integers of a cell: '-24 1' -> [-24, 1]. */
export function numbersOf(cell: string | null): number[] {
  return cell === null ? [] : cell.split(' ').map(Number);
}
