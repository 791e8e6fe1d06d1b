import type { Readable } from 'node:stream';
import {
  addText,
  breakPageIfNeeded,
  type Doc,
  type Draw,
  drawArtifact,
  drawElement,
  drawHeaderCell,
  drawMargins,
  INK,
  openPdf,
  SOFT,
  strokeLine,
} from './document.ts';
import { drawQrCode } from './qr-code.ts';

/** A printed sign-in sheet: its title, an address to scan, and a line per name or blank lines. */
export type PdfSignInSheet = Readonly<{
  language: string;
  paper: 'letter' | 'a4';
  /** The kind of sheet, in small print above the activity. */
  title: string;
  activity: string;
  /** School, day and so on, one line each; then the activity's description. */
  facts: readonly string[];
  about: string | null;
  /** The QR code's address, its alternative text, and the label below it. */
  code: Readonly<{ address: string; alt: string; label: string }>;
  /** The column headers: the name, then the columns to fill in by hand. */
  columns: readonly string[];
  /** The names; an empty string is a blank line. */
  names: readonly string[];
  foot: string;
  /** The page number text, with '{page}' and '{pages}'. */
  page: string;
}>;

const QR = 104;
/** The width of the QR code's column, and the shares of the table's columns. */
const SIDE = 150;
const SHARES = [0.34, 0.13, 0.13, 0.11, 0.29] as const;
const ROW = 27;
const PAD = 4;
const NAME_SIZE = 11;
const ABOUT_LINES = 4;
const RULE = '#8a948f';

/** Renders a sign-in sheet as a tagged PDF, with its header on each page. */
export function renderSignInSheetPdf(sheet: PdfSignInSheet): Readable {
  const { language, paper } = sheet;
  const draw = openPdf({ title: [sheet.title, sheet.activity].join(': '), language, paper });
  drawHead(draw, sheet);
  drawLines(draw, sheet);
  draw.root.end();
  const { activity, facts, foot, page } = sheet;
  drawMargins(
    draw,
    { from: 0, until: draw.doc.bufferedPageRange().count },
    {
      head: () => [activity, ...facts].join(' · '),
      foot,
      footOptions: { width: draw.width * 0.8, height: 11, ellipsis: true },
      page,
    },
  );
  draw.doc.end();
  return draw.doc as unknown as Readable;
}

function drawHead(draw: Draw, sheet: PdfSignInSheet): void {
  const { doc, left } = draw;
  const top = doc.y;
  const own = { x: left, width: draw.width - SIDE - 16 };
  addText(draw, 'P', sheet.title, { font: 'strong', size: 11, color: SOFT, y: top, ...own });
  addText(draw, 'H1', sheet.activity, { font: 'strong', size: 20, color: INK, y: doc.y + 2, ...own });
  for (const fact of sheet.facts) {
    addText(draw, 'P', fact, { font: 'plain', size: 12, color: INK, y: doc.y + 2, ...own });
  }
  if (sheet.about !== null) drawAbout(draw, sheet.about, own);
  const bottom = doc.y;
  drawCode(draw, sheet, top);
  doc.x = left;
  doc.y = Math.max(doc.y, bottom) + 14;
}

function drawAbout(draw: Draw, about: string, own: { x: number; width: number }): void {
  const { doc } = draw;
  const height = ABOUT_LINES * doc.font('plain').fontSize(10).currentLineHeight(true);
  const style = { font: 'plain', size: 10, color: SOFT, y: doc.y + 6, height, ellipsis: true } as const;
  addText(draw, 'P', about, { ...style, ...own });
}

function drawCode(draw: Draw, { code }: PdfSignInSheet, top: number): void {
  const { doc, root, left, width } = draw;
  const at = left + width - SIDE;
  const place = { left: at + (SIDE - QR) / 2, top, size: QR };
  root.add(doc.struct('Figure', { alt: code.alt }, () => drawQrCode(doc, code.address, place)));
  const centred = { width: SIDE, align: 'center' } as const;
  const label = { font: 'strong', size: 10, color: INK, x: at, y: top + QR + 2 } as const;
  addText(draw, 'P', code.label, { ...label, ...centred });
  root.add(
    drawElement(doc, 'P', () => {
      doc.font('plain').fontSize(9).fillColor(INK);
      for (const one of typedLines(doc, code.address)) doc.text(one, at, doc.y + 1, centred);
    }),
  );
}

// The address is shorter to type without the scheme, which browsers add. A long address breaks before its code.
function typedLines(doc: Doc, address: string): string[] {
  const typed = address.replace(/^https?:\/\//, '');
  if (doc.widthOfString(typed) <= SIDE) return [typed];
  const at = typed.lastIndexOf('=') + 1;
  return [typed.slice(0, at), typed.slice(at)];
}

function drawLines(draw: Draw, { columns, names }: PdfSignInSheet): void {
  const { doc, root } = draw;
  const table = doc.struct('Table');
  root.add(table);
  const head = doc.struct('TR');
  table.add(head);
  breakPageIfNeeded(draw, 2 * ROW);
  drawHeads(draw, columns, (put) => head.add(drawHeaderCell('Column', doc, put)));
  head.end();
  for (const name of names) {
    const height = heightOf(draw, name);
    if (breakPageIfNeeded(draw, height)) drawHeads(draw, columns, (put) => drawArtifact(doc, put));
    const row = doc.struct('TR');
    table.add(row);
    // A blank line has no name to use as a row header.
    drawLine(draw, name, height, (index, put) =>
      row.add(index === 0 && name !== '' ? drawHeaderCell('Row', doc, put) : drawElement(doc, 'TD', put)),
    );
    row.end();
  }
  table.end();
}

function drawHeads(draw: Draw, columns: readonly string[], put: (draw: () => void) => void): void {
  const { doc } = draw;
  const top = doc.y;
  const edges = edgesOf(draw);
  for (const [index, column] of columns.entries()) {
    const at = edges[index] ?? 0;
    put(() => {
      doc.font('strong').fontSize(9.5).fillColor(INK);
      doc.text(column, at + PAD, top + PAD, { width: (edges[index + 1] ?? 0) - at - 2 * PAD });
    });
  }
  const bottom = top + ROW - 8;
  drawArtifact(doc, () => strokeLine(doc, [draw.left, bottom], [draw.left + draw.width, bottom], 1, INK));
  doc.x = draw.left;
  doc.y = bottom;
}

function drawLine(
  draw: Draw,
  name: string,
  height: number,
  put: (index: number, draw: () => void) => void,
): void {
  const { doc, left, width } = draw;
  const top = doc.y;
  const edges = edgesOf(draw);
  for (const index of SHARES.keys()) {
    put(index, () => {
      if (index > 0 || name === '') return;
      const own = nameWidth(draw);
      doc.font('plain').fontSize(NAME_SIZE).fillColor(INK);
      doc.text(name, left + PAD, top + (height - doc.heightOfString(name, { width: own })) / 2, {
        width: own,
      });
    });
  }
  const bottom = top + height;
  drawArtifact(doc, () => {
    for (const edge of edges) strokeLine(doc, [edge, top], [edge, bottom], 0.5, RULE);
    strokeLine(doc, [left, bottom], [left + width, bottom], 0.5, RULE);
  });
  doc.x = left;
  doc.y = bottom;
}

function heightOf(draw: Draw, name: string): number {
  draw.doc.font('plain').fontSize(NAME_SIZE);
  return Math.max(ROW, draw.doc.heightOfString(name || ' ', { width: nameWidth(draw) }) + 2 * PAD);
}

function nameWidth({ width }: Draw): number {
  return SHARES[0] * width - 2 * PAD;
}

function edgesOf({ left, width }: Draw): number[] {
  let at = left;
  return [left, ...SHARES.map((share) => (at += share * width))];
}
