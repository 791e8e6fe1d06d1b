import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import { escapeHtml } from '../http/html.ts';

/** A column of a table; `width` is its share of the page. */
export type PdfColumn = Readonly<{ title: string; width: number; isNumber?: boolean }>;

/** A bar beside its name and number; `share` is 0 to 1 of the longest, `before` the same for an earlier time. */
export type PdfBar = Readonly<{ name: string; text: string; share: number; before?: number }>;

/** A part of a document, from top to bottom. */
export type PdfBlock =
  | Readonly<{ kind: 'title'; text: string; under: readonly string[] }>
  | Readonly<{ kind: 'heading'; text: string }>
  | Readonly<{ kind: 'text'; text: string }>
  | Readonly<{
      kind: 'table';
      columns: readonly PdfColumn[];
      rows: readonly (readonly string[])[];
      /** A last row in strong letters. */
      total?: readonly string[];
    }>
  | Readonly<{ kind: 'bars'; alt: string; bars: readonly PdfBar[] }>
  | Readonly<{ kind: 'signatures'; labels: readonly string[] }>;

/**
 * A document as plain data: its title, the language it is read out in, what stands on each page's foot, and how its number
 * is said, with '{page}' and '{pages}' for the numbers. Pages after the first begin with the lines under the title, and the
 * heading that goes on there.
 */
export type PdfContent = Readonly<{
  title: string;
  language: string;
  foot: string;
  page: string;
  blocks: readonly PdfBlock[];
}>;

// In points.
export const MARGIN = 54;
const FOOT = 30;
/** How far below the edge the head of a further page stands. */
const HEAD = 32;
export const INK = '#18211d';
export const SOFT = '#55605a';
const LINE = '#c9d1cc';
const BRAND = '#0f6b4f';
const BEFORE = '#b9d6c9';
/** The space below a block, and the height of the signatures with theirs above. */
export const BELOW = { table: 8, text: 6 } as const;
const SIGNATURES = 90;
/** A heading stands above two rows at least. */
const ROOM_FOR_HEADING = 90;

const FONTS = {
  plain: fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
  strong: fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')),
} as const;

// The library knows it, its types do not yet.
const UNIVERSAL = { subset: 'PDF/UA' } as unknown as { subset: 'PDF/A-2a' };

export type Doc = InstanceType<typeof PDFDocument>;
type Element = ReturnType<Doc['struct']>;
/** Where a document is drawn: what is added to it, under which element, between which edges. */
export type Draw = Readonly<{
  doc: Doc;
  root: Element;
  left: number;
  width: number;
  bottom: number;
  /** The last heading, and the one that each page begins with. */
  headings: { last: string; readonly ofPages: string[] };
}>;

/**
 * A tagged PDF: headings, tables with their heads and pictures with their words are known to a screen reader. Its
 * letters are within it, those of Vietnamese and Polish names too.
 */
export function pdfOf(content: PdfContent): Readable {
  const draw = openPdf(content);
  const { doc, root } = draw;
  for (const [index, block] of content.blocks.entries()) {
    drawBlock(draw, block, signedHeight(draw, content.blocks.slice(index + 1)));
  }
  root.end();
  numberPages(draw, content);
  doc.end();
  return doc as unknown as Readable;
}

/** Begins a tagged document on its first page. */
export function openPdf({
  title,
  language,
  paper = 'letter',
}: Pick<PdfContent, 'title' | 'language'> & { paper?: 'letter' | 'a4' }): Draw {
  const doc = new PDFDocument({
    size: paper.toUpperCase(),
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN + FOOT },
    pdfVersion: '1.7',
    ...UNIVERSAL,
    tagged: true,
    lang: language,
    displayTitle: true,
    bufferPages: true,
    // None at first: with the path of one here, the library reads that font anew each time it is chosen by name.
    font: '',
    info: { Title: title },
  });
  escapeTitle(doc);
  for (const [name, path] of Object.entries(FONTS)) {
    doc.registerFont(name, path);
  }
  const root = doc.struct('Document');
  doc.addStructure(root);
  const draw: Draw = {
    doc,
    root,
    left: MARGIN,
    width: doc.page.width - 2 * MARGIN,
    bottom: doc.page.height - MARGIN - FOOT,
    headings: { last: '', ofPages: [''] },
  };
  doc.on('pageAdded', () => draw.headings.ofPages.push(draw.headings.last));
  return draw;
}

// The library writes the title into the XML of the metadata as it is. By then it has written it to the other place, where
// it must stay as it is.
function escapeTitle(doc: Doc): void {
  const library = doc as unknown as { endMetadata: () => void };
  const { endMetadata } = library;
  library.endMetadata = () => {
    doc.info.Title = escapeHtml(doc.info.Title ?? '');
    endMetadata.call(doc);
  };
}

/**
 * A last table that is signed keeps its last row, what is said below it and the signatures on one page, and its heading
 * too if it has only one row.
 */
function signedHeight(draw: Draw, after: readonly PdfBlock[]): number {
  const { doc, width } = draw;
  const [text, signatures] = after;
  if (text?.kind === 'table' && text.rows.length === 1) {
    const below = signedHeight(draw, after.slice(1));
    return below === 0 ? 0 : below + ROOM_FOR_HEADING / 2;
  }
  if (text?.kind !== 'text' || signatures?.kind !== 'signatures') return 0;
  const own = doc.font('plain').fontSize(10).heightOfString(text.text, { width });
  return own + BELOW.table + BELOW.text + SIGNATURES;
}

function drawBlock(draw: Draw, block: PdfBlock, signed: number): void {
  if (block.kind === 'title') drawTitle(draw, block.text, block.under);
  else if (block.kind === 'heading') drawHeading(draw, block.text, signed);
  else if (block.kind === 'text') drawText(draw, block.text);
  else if (block.kind === 'table') drawTable(draw, block, signed);
  else if (block.kind === 'bars') drawBars(draw, block.alt, block.bars);
  else drawSignatures(draw, block.labels);
}

function drawTitle({ doc, root, left, width }: Draw, text: string, under: readonly string[]): void {
  root.add(
    part(doc, 'H1', () => doc.font('strong').fontSize(20).fillColor(INK).text(text, left, doc.y, { width })),
  );
  for (const line of under) {
    root.add(
      part(doc, 'P', () =>
        doc
          .font('plain')
          .fontSize(11)
          .fillColor(SOFT)
          .text(line, left, doc.y + 2, { width }),
      ),
    );
  }
  doc.y += 10;
}

function drawHeading(draw: Draw, text: string, signed: number): void {
  const { doc, root, left, width } = draw;
  draw.headings.last = text;
  makeRoom(draw, ROOM_FOR_HEADING + signed);
  doc.y += 12;
  root.add(
    part(doc, 'H2', () => doc.font('strong').fontSize(13).fillColor(INK).text(text, left, doc.y, { width })),
  );
  doc.y += 6;
}

function drawText(draw: Draw, text: string): void {
  const { doc, root, left, width } = draw;
  makeRoom(draw, 40);
  root.add(
    part(doc, 'P', () => doc.font('plain').fontSize(10).fillColor(INK).text(text, left, doc.y, { width })),
  );
  doc.y += BELOW.text;
}

const PAD = 4;

/** Draws a table with its head on each page; `signed` is the height that stays with the last row. */
export function drawTable(
  draw: Draw,
  { columns, rows, total }: Omit<Extract<PdfBlock, { kind: 'table' }>, 'kind'>,
  signed: number,
): void {
  const { doc, root } = draw;
  const table = doc.struct('Table');
  root.add(table);
  const head = columns.map(({ title }) => title);
  const tagged = (cells: readonly string[], font: 'plain' | 'strong', tag: 'TH' | 'TD', below = 0) => {
    const isNew = makeRoom(draw, heightOf(draw, columns, cells, font) + 1 + below);
    if (isNew && cells !== head) {
      // The head once more for the eye; who listens has heard it.
      drawRow(draw, columns, head, 'strong', (cell) => artifact(doc, cell));
    }
    const row = doc.struct('TR');
    table.add(row);
    drawRow(draw, columns, cells, font, (cell, index) => {
      if (tag === 'TH') row.add(headOf('Column', doc, cell));
      else row.add(index === 0 ? headOf('Row', doc, cell) : part(doc, 'TD', cell));
    });
    row.end();
  };
  const end = signed === 0 ? 0 : signed + (total ? heightOf(draw, columns, total, 'strong') + 1 : 0);
  const [first, ...others] = rows;
  // No head stands without a row.
  const below = first === undefined ? 0 : heightOf(draw, columns, first, 'plain') + 1;
  tagged(head, 'strong', 'TH', below + (others.length === 0 ? end : 0));
  for (const cells of rows) tagged(cells, 'plain', 'TD', cells === rows.at(-1) ? end : 0);
  if (total !== undefined) tagged(total, 'strong', 'TD');
  table.end();
  doc.y += BELOW.table;
}

/** The head of a column or row of a table, which says of which (PDF 1.7, 14.8.5.7); the library has no option for that. */
export function headOf(of: 'Column' | 'Row', doc: Doc, draw: () => unknown): Element {
  const item = part(doc, 'TH', draw);
  const { dictionary } = item as unknown as { dictionary: { data: Record<string, unknown> } };
  dictionary.data['A'] = { O: 'Table', Scope: of };
  return item;
}

function drawRow(
  draw: Draw,
  columns: readonly PdfColumn[],
  cells: readonly string[],
  font: 'plain' | 'strong',
  put: (cell: () => void, index: number) => void,
): void {
  const { doc, left, width } = draw;
  const top = doc.y;
  const height = heightOf(draw, columns, cells, font);
  let x = left;
  for (const [index, column] of columns.entries()) {
    const own = column.width * width;
    const at = x;
    put(() => {
      doc.font(font).fontSize(9.5).fillColor(INK);
      doc.text(cells[index] ?? '', at + (index === 0 ? 0 : PAD), top + PAD, {
        width: own - (index === 0 ? PAD : 2 * PAD),
        align: column.isNumber === true ? 'right' : 'left',
        // Digits under digits.
        ...(column.isNumber === true ? { features: ['tnum'] as const } : {}),
      });
    }, index);
    x += own;
  }
  artifact(doc, () =>
    doc
      .moveTo(left, top + height)
      .lineTo(left + width, top + height)
      .lineWidth(0.5)
      .stroke(LINE),
  );
  doc.x = left;
  doc.y = top + height;
}

function heightOf(
  { doc, width }: Draw,
  columns: readonly PdfColumn[],
  cells: readonly string[],
  font: 'plain' | 'strong',
): number {
  doc.font(font).fontSize(9.5);
  const heights = columns.map((column, index) =>
    doc.heightOfString(cells[index] || ' ', {
      width: column.width * width - (index === 0 ? PAD : 2 * PAD),
    }),
  );
  return Math.max(...heights) + 2 * PAD;
}

const BAR = { name: 0.34, strip: 0.48, height: 15 } as const;

function drawBars(draw: Draw, alt: string, bars: readonly PdfBar[]): void {
  const { doc, root, left, width } = draw;
  makeRoom(draw, Math.min(bars.length * BAR.height, 300));
  const drawOne = (bar: PdfBar) => {
    const top = doc.y;
    const strip = { x: left + BAR.name * width, width: BAR.strip * width };
    doc.font('plain').fontSize(9).fillColor(INK);
    doc.text(bar.name, left, top + 2, { width: BAR.name * width - 8, height: 11, ellipsis: true });
    if (bar.before !== undefined) {
      doc.rect(strip.x, top + 8, strip.width * bar.before, 4).fill(BEFORE);
    }
    const height = bar.before === undefined ? 8 : 5;
    doc.rect(strip.x, top + 3, strip.width * bar.share, height).fill(BRAND);
    doc.fillColor(INK).text(bar.text, strip.x + strip.width + 6, top + 2, {
      width: width - BAR.name * width - strip.width - 6,
      align: 'right',
      lineBreak: false,
    });
    doc.x = left;
    doc.y = top + BAR.height;
  };
  const figure = doc.struct('Figure', { alt }, () => {
    for (const bar of bars) drawOne(bar);
  });
  root.add(figure);
  doc.y += 6;
}

function drawSignatures(draw: Draw, labels: readonly string[]): void {
  const { doc, root, left, width } = draw;
  makeRoom(draw, SIGNATURES);
  doc.y += 48;
  const top = doc.y;
  // The last line ends at the margin.
  const own = (width + 24) / labels.length;
  for (const [index, label] of labels.entries()) {
    const x = left + index * own;
    artifact(doc, () =>
      doc
        .moveTo(x, top)
        .lineTo(x + own - 24, top)
        .lineWidth(0.75)
        .stroke(INK),
    );
    root.add(
      part(doc, 'P', () =>
        doc
          .font('plain')
          .fontSize(9)
          .fillColor(SOFT)
          .text(label, x, top + 4, { width: own - 24 }),
      ),
    );
  }
}

function numberPages(
  { doc, left, width, bottom, headings }: Draw,
  { foot, page, blocks: [title] }: PdfContent,
): void {
  const about = title?.kind === 'title' ? title.under : [];
  const { count } = doc.bufferedPageRange();
  for (let index = 0; index < count; index++) {
    doc.switchToPage(index);
    // The foot lies within the margin, where text would open a page.
    doc.page.margins.bottom = 0;
    doc.markContent('Artifact', { type: 'Pagination' });
    doc.font('plain').fontSize(8.5).fillColor(SOFT);
    if (index > 0) {
      const head = [...about, headings.ofPages[index] ?? ''].filter((words) => words !== '').join(' · ');
      doc.text(head, left, HEAD, { width, height: 11, ellipsis: true });
    }
    doc.text(foot, left, bottom + FOOT, { width: width * 0.75, lineBreak: false });
    const number = page.replace('{page}', String(index + 1)).replace('{pages}', String(count));
    doc.text(number, left, bottom + FOOT, { width, align: 'right', lineBreak: false });
    doc.endMarkedContent();
  }
}

/** An element of the document that is drawn at once. */
export function part(doc: Doc, tag: string, draw: () => unknown): Element {
  return doc.struct(tag, {}, () => void draw());
}

/** What only decorates. Not one within another: it would be closed twice. */
export function artifact(doc: Doc, draw: () => void): void {
  doc.markContent('Artifact', { type: 'Layout' });
  draw();
  doc.endMarkedContent();
}

/** Begins a page when what comes does not fit any more; says whether one began. */
export function makeRoom({ doc, bottom }: Draw, height: number): boolean {
  if (doc.y + height <= bottom) return false;
  doc.addPage();
  return true;
}
