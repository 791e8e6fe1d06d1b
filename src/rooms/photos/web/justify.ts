/** A picture's shown size in pixels. */
export type Tile = Readonly<{ width: number; height: number }>;

type Layout = Readonly<{
  /** The width of the whole grid. */
  width: number;
  /** About how high a row is. */
  height: number;
  gap: number;
  /** Exactly so many in a row, such as two on a phone. */
  columns?: number;
  /** How narrow and how wide a tile gets beside others; a picture beyond that stands whole inside its tile. */
  narrowest: number;
  widest: number;
}>;

/**
 * Rows of one height each that fill the width, in the pictures' own proportions. Known before a picture has loaded, so
 * that nothing moves when it has. A last row that is not full keeps the height of the others.
 */
export function justify(pictures: readonly Tile[], layout: Layout): Tile[][] {
  const { width, height, gap, columns } = layout;
  const rows: Tile[][] = [];
  let row: number[] = [];
  const lay = (rowHeight: number) => {
    rows.push(row.map((proportion) => ({ width: Math.floor(proportion * rowHeight), height: rowHeight })));
    row = [];
  };
  for (const picture of pictures) {
    row.push(Math.min(Math.max(picture.width / picture.height, layout.narrowest), layout.widest));
    const filling = fillingHeight(row, width, gap);
    if (columns === undefined ? filling <= height : row.length === columns) lay(filling);
  }
  if (row.length > 0) lay(Math.min(height, Math.floor(fillingHeight(row, width, gap))));
  return rows;
}

/** Rows that come and go together while a long gallery is scrolled: `start` is the place of the first picture. */
export type Block = Readonly<{ start: number; rows: readonly (readonly Tile[])[] }>;

/** Whole rows in blocks of at least `least` pictures; the last block may have fewer. */
export function blocksOf(rows: readonly (readonly Tile[])[], least: number): Block[] {
  const blocks: { start: number; rows: (readonly Tile[])[] }[] = [];
  let start = 0;
  let count = least;
  for (const row of rows) {
    if (count >= least) {
      blocks.push({ start, rows: [] });
      count = 0;
    }
    blocks.at(-1)?.rows.push(row);
    start += row.length;
    count += row.length;
  }
  return blocks;
}

function fillingHeight(row: readonly number[], width: number, gap: number): number {
  const proportions = row.reduce((sum, proportion) => sum + proportion, 0);
  return Math.floor((width - gap * (row.length - 1)) / proportions);
}
