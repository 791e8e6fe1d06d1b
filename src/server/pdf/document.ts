import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import PDFDocument from 'pdfkit';
import { escapeHtml } from '../http/html.ts';

/** A table column; `width` is its share of the page width. */
export type PdfColumn = Readonly<{ title: string; width: number; isNumber?: boolean }>;

/**
 * A bar with its name and number. `share` is its length as a share of the longest bar (0 to 1), `before` the share for an
 * earlier period.
 */
export type PdfBar = Readonly<{ name: string; text: string; share: number; before?: number }>;

/** A block of a document. */
export type PdfBlock =
  | Readonly<{ kind: 'title'; text: string; under: readonly string[] }>
  | Readonly<{ kind: 'heading'; text: string }>
  | Readonly<{ kind: 'text'; text: string }>
  | Readonly<{
      kind: 'table';
      columns: readonly PdfColumn[];
      rows: readonly (readonly string[])[];
      /** A last row in bold. */
      total?: readonly string[];
    }>
  | Readonly<{ kind: 'bars'; alt: string; bars: readonly PdfBar[] }>
  | Readonly<{ kind: 'signatures'; labels: readonly string[] }>;

/**
 * A document as plain data: its title, its language for screen readers, the footer, and the page number text
 * with '{page}' and '{pages}'. Pages after the first repeat the lines under the title and the current
 * heading.
 */
export type PdfContent = Readonly<{
  title: string;
  language: string;
  foot: string;
  page: string;
  blocks: readonly PdfBlock[];
}>;

// In points.
const MARGIN = 54;
const FOOT = 30;
/** The top offset of the running head on later pages. */
const HEAD = 32;
export const INK = '#18211d';
export const SOFT = '#55605a';
const LINE = '#c9d1cc';
const BRAND = '#0f6b4f';
const BEFORE = '#b9d6c9';
/** The space below a block. */
export const BELOW = { table: 8, text: 6 } as const;
const SIGNATURES = 90;
/** Space for a heading with at least two rows below it. */
const ROOM_FOR_HEADING = 90;

const FONTS = {
  plain: fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
  strong: fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf')),
} as const;

// The library supports it; its types do not yet.
const UNIVERSAL = { subset: 'PDF/UA' } as unknown as { subset: 'PDF/A-2a' };

export type Doc = InstanceType<typeof PDFDocument>;
type Element = ReturnType<Doc['struct']>;
/** A drawing context: the document, the parent structure element, and the edges. */
export type Draw = Readonly<{
  doc: Doc;
  root: Element;
  left: number;
  width: number;
  bottom: number;
  /** The latest heading, and the first heading of each page. */
  headings: { last: string; readonly ofPages: string[] };
}>;

/**
 * Renders a tagged PDF: screen readers get headings, tables with headers, and alternative texts. Its fonts
 * are embedded and cover Vietnamese and Polish names.
 */
export function renderPdf(content: PdfContent): Readable {
  const draw = openPdf(content);
  const { doc, root } = draw;
  for (const [index, block] of content.blocks.entries()) {
    drawBlock(draw, block, signedHeight(draw, content.blocks.slice(index + 1)));
  }
  root.end();
  const { foot, page } = content;
  const [title] = content.blocks;
  const about = title?.kind === 'title' ? title.under : [];
  drawMargins(
    draw,
    { from: 0, until: doc.bufferedPageRange().count },
    {
      head: (index) =>
        [...about, draw.headings.ofPages[index] ?? ''].filter((words) => words !== '').join(' · '),
      foot,
      footOptions: { width: draw.width * 0.75, lineBreak: false },
      page,
    },
  );
  doc.end();
  return doc as unknown as Readable;
}

/** Opens a tagged document on its first page. */
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
    // None at first: with a path here, the library would load that font again each time it is selected by name.
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

// The library writes the title unescaped into the XML metadata. By now it has also written the title elsewhere, where it must
// stay unescaped.
function escapeTitle(doc: Doc): void {
  const library = doc as unknown as { endMetadata: () => void };
  const { endMetadata } = library;
  library.endMetadata = () => {
    doc.info.Title = escapeHtml(doc.info.Title ?? '');
    endMetadata.call(doc);
  };
}

/**
 * The height that must stay together: a signed last table keeps its last row, the text below it and the
 * signatures on one page, and its heading too if it has only one row.
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

function drawTitle(draw: Draw, text: string, under: readonly string[]): void {
  const { doc, left, width } = draw;
  addText(draw, 'H1', text, { font: 'strong', size: 20, color: INK, x: left, y: doc.y, width });
  for (const line of under) {
    addText(draw, 'P', line, { font: 'plain', size: 11, color: SOFT, x: left, y: doc.y + 2, width });
  }
  doc.y += 10;
}

function drawHeading(draw: Draw, text: string, signed: number): void {
  const { doc, left, width } = draw;
  draw.headings.last = text;
  breakPageIfNeeded(draw, ROOM_FOR_HEADING + signed);
  doc.y += 12;
  addText(draw, 'H2', text, { font: 'strong', size: 13, color: INK, x: left, y: doc.y, width });
  doc.y += 6;
}

function drawText(draw: Draw, text: string): void {
  const { doc, left, width } = draw;
  breakPageIfNeeded(draw, 40);
  addText(draw, 'P', text, { font: 'plain', size: 10, color: INK, x: left, y: doc.y, width });
  doc.y += BELOW.text;
}

const PAD = 4;

/** Draws a table and repeats its header on each page. `signed` is the height that must fit below the last row. */
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
    const isNew = breakPageIfNeeded(draw, heightOf(draw, columns, cells, font) + 1 + below);
    if (isNew && cells !== head) {
      // The repeated header is only visual, because screen readers have already read it.
      drawRow(draw, columns, head, 'strong', (cell) => drawArtifact(doc, cell));
    }
    const row = doc.struct('TR');
    table.add(row);
    drawRow(draw, columns, cells, font, (cell, index) => {
      if (tag === 'TH') row.add(drawHeaderCell('Column', doc, cell));
      else row.add(index === 0 ? drawHeaderCell('Row', doc, cell) : drawElement(doc, 'TD', cell));
    });
    row.end();
  };
  const end = signed === 0 ? 0 : signed + (total ? heightOf(draw, columns, total, 'strong') + 1 : 0);
  const [first, ...others] = rows;
  // A header is never alone at the end of a page.
  const below = first === undefined ? 0 : heightOf(draw, columns, first, 'plain') + 1;
  tagged(head, 'strong', 'TH', below + (others.length === 0 ? end : 0));
  for (const cells of rows) tagged(cells, 'plain', 'TD', cells === rows.at(-1) ? end : 0);
  if (total !== undefined) tagged(total, 'strong', 'TD');
  table.end();
  doc.y += BELOW.table;
}

/** A header cell with its scope (PDF 1.7, 14.8.5.7), for which the library has no option. */
export function drawHeaderCell(of: 'Column' | 'Row', doc: Doc, draw: () => unknown): Element {
  const item = drawElement(doc, 'TH', draw);
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
        // Align digits.
        ...(column.isNumber === true ? { features: ['tnum'] as const } : {}),
      });
    }, index);
    x += own;
  }
  const bottom = top + height;
  drawArtifact(doc, () => strokeLine(doc, [left, bottom], [left + width, bottom], 0.5, LINE));
  doc.x = left;
  doc.y = bottom;
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
  breakPageIfNeeded(draw, Math.min(bars.length * BAR.height, 300));
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
  const { doc, left, width } = draw;
  breakPageIfNeeded(draw, SIGNATURES);
  doc.y += 48;
  const top = doc.y;
  // The last line ends at the margin.
  const own = (width + 24) / labels.length;
  for (const [index, label] of labels.entries()) {
    const x = left + index * own;
    drawArtifact(doc, () => strokeLine(doc, [x, top], [x + own - 24, top], 0.75, INK));
    addText(draw, 'P', label, { font: 'plain', size: 9, color: SOFT, x, y: top + 4, width: own - 24 });
  }
}

/**
 * Writes the margins of the pages from `from` to before `until`: the foot, the page number, and from the second page on the
 * head. `page` is the page number text, with '{page}' and '{pages}'.
 */
export function drawMargins(
  { doc, left, width, bottom }: Draw,
  { from, until }: Readonly<{ from: number; until: number }>,
  texts: Readonly<{
    head: (index: number) => string;
    foot: string;
    footOptions: PDFKit.Mixins.TextOptions;
    page: string;
  }>,
): void {
  for (let index = from; index < until; index++) {
    doc.switchToPage(index);
    // The footer is inside the bottom margin, where text would start a new page.
    doc.page.margins.bottom = 0;
    doc.markContent('Artifact', { type: 'Pagination' });
    doc.font('plain').fontSize(8.5).fillColor(SOFT);
    if (index > from) doc.text(texts.head(index), left, HEAD, { width, height: 11, ellipsis: true });
    doc.text(texts.foot, left, bottom + FOOT, texts.footOptions);
    const number = texts.page
      .replace('{page}', String(index - from + 1))
      .replace('{pages}', String(until - from));
    doc.text(number, left, bottom + FOOT, { width, align: 'right', lineBreak: false });
    doc.endMarkedContent();
  }
}

type TextStyle = PDFKit.Mixins.TextOptions &
  Readonly<{ font: keyof typeof FONTS; size: number; color: string; x: number; y: number }>;

/** Draws a text as a structure element. */
export function addText(
  { doc, root }: Draw,
  tag: string,
  text: string,
  { font, size, color, x, y, ...options }: TextStyle,
): void {
  root.add(
    drawElement(doc, tag, () => doc.font(font).fontSize(size).fillColor(color).text(text, x, y, options)),
  );
}

/** Creates a structure element and draws it. */
export function drawElement(doc: Doc, tag: string, draw: () => unknown): Element {
  return doc.struct(tag, {}, () => void draw());
}

/** Draws decoration that screen readers skip. Do not nest it: it would be closed twice. */
export function drawArtifact(doc: Doc, draw: () => void): void {
  doc.markContent('Artifact', { type: 'Layout' });
  draw();
  doc.endMarkedContent();
}

/** Draws a straight line. */
export function strokeLine(
  doc: Doc,
  from: readonly [number, number],
  to: readonly [number, number],
  thickness: number,
  color: string,
): void {
  doc
    .moveTo(...from)
    .lineTo(...to)
    .lineWidth(thickness)
    .stroke(color);
}

/** Starts a new page if the height does not fit; returns whether it did. */
export function breakPageIfNeeded({ doc, bottom }: Draw, height: number): boolean {
  if (doc.y + height <= bottom) return false;
  doc.addPage();
  return true;
}
