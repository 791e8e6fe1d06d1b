/** The size at which a photo is rendered, in pixels. */
export type Tile = Readonly<{ width: number; height: number }>;

type Layout = Readonly<{
  /** The width of the whole grid. */
  width: number;
  /** The target height of a row. */
  height: number;
  gap: number;
  /** A fixed number of photos per row, such as two on a phone. */
  columns?: number;
  /** The narrowest and widest proportion (width / height) of a tile; photos beyond it are cropped. */
  narrowest: number;
  widest: number;
}>;

/**
 * Lays out rows that fill the width, each with one height, in the photos' own proportions. Sizes are known before a photo
 * loads, so nothing moves. A last row that is not full is at most as high as the target.
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

/** Rows that are rendered and removed together while a long gallery scrolls. `start` is the index of the first photo. */
export type Block = Readonly<{ start: number; rows: readonly (readonly Tile[])[] }>;

/** Groups whole rows into blocks of at least `least` photos; the last block may have fewer. */
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
