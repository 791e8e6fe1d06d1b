/** The words of a text, between commas or as given: 'Alder, Blue Heron'. */
export function wordsOf(text: string, between: string | RegExp = /,\s+/): string[] {
  return text.trim().split(between);
}

/** The rows of a table, one a line, its cells between bars. A cell that is empty or left out at the end is null. */
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

/** A cell that every row has. */
export function given<Cell extends string>(cell: string | null): Cell {
  if (cell === null) throw new Error('a cell of the table is empty');
  return cell as Cell;
}

/** The whole numbers of a cell: '-24 1' -> [-24, 1]. */
export function numbersOf(cell: string | null): number[] {
  return cell === null ? [] : cell.split(' ').map(Number);
}
