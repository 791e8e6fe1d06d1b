import type { Readable } from 'node:stream';
import {
  addText,
  BELOW,
  breakPageIfNeeded,
  type Draw,
  drawArtifact,
  drawElement,
  drawHeaderCell,
  drawMargins,
  drawTable,
  INK,
  openPdf,
  type PdfColumn,
  SOFT,
  strokeLine,
} from './document.ts';
import { drawQrCode } from './qr-code.ts';

/** A signed letter on its own pages: head, facts, paragraphs, table, signature, and how to verify it. */
export type PdfLetter = Readonly<{
  name: string;
  logoAlt: string;
  /** The sender in bold, and the lines below it. */
  head: readonly string[];
  issued: string;
  title: string;
  greeting: string;
  facts: readonly (readonly [string, string])[];
  paragraphs: readonly string[];
  table: Readonly<{
    columns: readonly PdfColumn[];
    rows: readonly (readonly string[])[];
    total: readonly string[];
  }>;
  closing: readonly string[];
  signature: string;
  /** The signer's name and title, or lines to fill in by hand. */
  signer: readonly string[];
  /** The QR code's address, its alternative text, and the lines next to it. */
  check: Readonly<{ address: string; alt: string; lines: readonly string[] }>;
  foot: string;
}>;

/** Letters with one logo; `page` is the page number text of a letter, with '{page}' and '{pages}'. */
export type PdfLetters = Readonly<{
  title: string;
  language: string;
  page: string;
  logo: Readonly<{ type: string; content: Uint8Array }> | undefined;
  letters: readonly PdfLetter[];
}>;

const LOGO = 56;
const QR = 84;
const SIGNATURE = { above: 44, named: -10, below: 18, least: 20 } as const;
const FACT_WIDTH = 0.26;
const NAME_SIZE = 10.5;
const SMALL = { font: 'plain', size: 9.5, color: SOFT } as const;
const CODE = { font: 'strong', size: 12, color: INK } as const;

/** Renders letters as a tagged PDF, each a section that begins on a new page. */
export async function renderLettersPdf({
  title,
  language,
  page,
  logo,
  letters,
}: PdfLetters): Promise<Readable> {
  const draw = openPdf({ title, language });
  const picture = logo === undefined ? undefined : await toPng(logo);
  const starts: number[] = [];
  for (const [index, letter] of letters.entries()) {
    if (index > 0) draw.doc.addPage();
    starts.push(draw.doc.bufferedPageRange().count - 1);
    drawLetter(draw, letter, picture);
  }
  draw.root.end();
  const { count } = draw.doc.bufferedPageRange();
  for (const [index, letter] of letters.entries()) {
    drawMargins(
      draw,
      { from: starts[index] ?? 0, until: starts[index + 1] ?? count },
      {
        head: () => [letter.title, letter.name].join(' · '),
        foot: letter.foot,
        footOptions: { width: draw.width * 0.78, height: 11, ellipsis: true },
        page,
      },
    );
  }
  draw.doc.end();
  return draw.doc as unknown as Readable;
}

// The library supports only PNG and JPEG.
async function toPng({ type, content }: NonNullable<PdfLetters['logo']>): Promise<Buffer> {
  if (type === 'image/png') return Buffer.from(content);
  const { default: sharp } = await import('sharp');
  return sharp(content).png().toBuffer();
}

function drawLetter(all: Draw, letter: PdfLetter, logo: Buffer | undefined): void {
  const section = all.doc.struct('Sect');
  all.root.add(section);
  const draw = { ...all, root: section };
  drawHead(draw, letter, logo);
  drawHeading(draw, letter.title);
  paragraph(draw, letter.greeting);
  for (const text of letter.paragraphs) paragraph(draw, text);
  drawFacts(draw, letter.facts);
  drawTable(draw, letter.table, endHeight(draw, letter));
  for (const text of letter.closing) paragraph(draw, text, 10);
  drawSignature(draw, letter);
  drawCheck(draw, letter.check);
  section.end();
}

function drawHead(draw: Draw, letter: PdfLetter, logo: Buffer | undefined): void {
  const { doc, root, left, width } = draw;
  const top = doc.y;
  const at = logo === undefined ? left : left + LOGO + 14;
  if (logo !== undefined) {
    const box = { fit: [LOGO, LOGO] as [number, number], valign: 'center' as const };
    root.add(doc.struct('Figure', { alt: letter.logoAlt }, () => void doc.image(logo, left, top, box)));
  }
  const own = { x: at, width: width - (at - left) };
  const [sender = '', ...lines] = letter.head;
  addText(draw, 'P', sender, { font: 'strong', size: 14, color: INK, y: top + 4, ...own });
  for (const line of lines) {
    addText(draw, 'P', line, { font: 'plain', size: 11, color: SOFT, y: doc.y + 1, ...own });
  }
  addText(draw, 'P', letter.issued, { font: 'plain', size: 10, color: SOFT, y: doc.y + 2, ...own });
  doc.y = Math.max(doc.y, logo === undefined ? 0 : top + LOGO) + 22;
}

function drawHeading(draw: Draw, title: string): void {
  const { doc, left, width } = draw;
  addText(draw, 'H1', title, { font: 'strong', size: 19, color: INK, x: left, y: doc.y, width });
  doc.y += 12;
}

function paragraph(draw: Draw, text: string, size = 11): void {
  const { doc, left, width } = draw;
  for (const one of text.split(/\n+/)) {
    doc.font('plain').fontSize(size);
    breakPageIfNeeded(draw, Math.min(doc.heightOfString(one, { width }), 60));
    addText(draw, 'P', one, { font: 'plain', size, color: INK, x: left, y: doc.y, width, lineGap: 2 });
    doc.y += BELOW.text;
  }
  doc.y += 4;
}

function drawFacts(draw: Draw, facts: PdfLetter['facts']): void {
  const { doc, root, left, width } = draw;
  const own = FACT_WIDTH * width;
  const table = doc.struct('Table');
  root.add(table);
  for (const [name, value] of facts) {
    doc.font('strong').fontSize(10.5);
    const height = doc.heightOfString(value, { width: width - own }) + 5;
    breakPageIfNeeded(draw, height);
    const top = doc.y;
    const row = doc.struct('TR');
    table.add(row);
    const strong = () => doc.font('strong').fontSize(10.5).fillColor(INK);
    const plain = () => doc.font('plain').fontSize(10.5).fillColor(SOFT);
    row.add(drawHeaderCell('Row', doc, () => plain().text(name, left, top, { width: own - 8 })));
    row.add(drawElement(doc, 'TD', () => strong().text(value, left + own, top, { width: width - own })));
    row.end();
    doc.y = top + height;
  }
  table.end();
  doc.y += 10;
}

// The last row stays on the page of the signature, so that a signature is never alone on a page.
function endHeight(draw: Draw, letter: PdfLetter): number {
  const { doc, width } = draw;
  doc.font('plain').fontSize(10);
  const closingHeight = letter.closing.reduce(
    (sum, text) => sum + doc.heightOfString(text, { width, lineGap: 2 }) + BELOW.text + 4,
    0,
  );
  return BELOW.table + closingHeight + signedHeight(draw, letter);
}

// The height of the signature, the name below it, and the QR code on the same page.
function signedHeight({ doc, width }: Draw, { signer }: PdfLetter): number {
  const own = { width: halfOf(width) };
  const [name = '', title] = signer;
  const named =
    title === undefined
      ? 0
      : SIGNATURE.named +
        doc.font('strong').fontSize(NAME_SIZE).heightOfString(name, own) +
        doc.font(SMALL.font).fontSize(SMALL.size).heightOfString(title, own);
  return SIGNATURE.above + Math.max(named, SIGNATURE.least) + SIGNATURE.below + QR + 4;
}

function halfOf(width: number): number {
  return (width - 24) / 2;
}

function drawSignature(draw: Draw, letter: PdfLetter): void {
  const { doc, left, width } = draw;
  const { signature, signer } = letter;
  breakPageIfNeeded(draw, signedHeight(draw, letter));
  doc.y += SIGNATURE.above;
  const top = doc.y;
  const own = halfOf(width);
  const line = (at: number) =>
    drawArtifact(doc, () => strokeLine(doc, [at, top], [at + own, top], 0.75, INK));
  line(left);
  addText(draw, 'P', signature, { ...SMALL, x: left, y: top + 5, width: own });
  const at = left + own + 24;
  // A printed name needs no line to write on.
  if (signer.length === 1) line(at);
  const [name = '', title] = signer;
  if (title === undefined) addText(draw, 'P', name, { ...SMALL, x: at, y: top + 5, width: own });
  else {
    const printed = { font: 'strong', size: NAME_SIZE, color: INK, y: top + SIGNATURE.named } as const;
    addText(draw, 'P', name, { ...printed, x: at, width: own });
    addText(draw, 'P', title, { ...SMALL, x: at, y: doc.y + 1, width: own });
  }
  doc.y = Math.max(doc.y, top + SIGNATURE.least) + SIGNATURE.below;
}

function drawCheck(draw: Draw, { address, alt, lines }: PdfLetter['check']): void {
  const { doc, root, left, width } = draw;
  breakPageIfNeeded(draw, QR + 4);
  const top = doc.y;
  root.add(doc.struct('Figure', { alt }, () => drawQrCode(doc, address, { left, top, size: QR })));
  const at = left + QR + 14;
  doc.y = top + 14;
  const own = { x: at, width: width - QR - 14 };
  for (const line of lines.slice(0, -1)) addText(draw, 'P', line, { ...SMALL, y: doc.y, ...own });
  addText(draw, 'P', lines.at(-1) ?? '', { ...CODE, y: doc.y + 4, ...own });
  doc.y = Math.max(doc.y, top + QR);
}
