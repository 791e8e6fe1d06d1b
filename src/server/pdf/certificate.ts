import type { Readable } from 'node:stream';
import {
  BELOW,
  breakPageIfNeeded,
  type Doc,
  type Draw,
  drawArtifact,
  drawElement,
  drawHeaderCell,
  drawTable,
  INK,
  MARGIN,
  openPdf,
  type PdfColumn,
  SOFT,
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
    numberPages(draw, letter, page, { from: starts[index] ?? 0, until: starts[index + 1] ?? count });
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

function drawHead({ doc, root, left, width }: Draw, letter: PdfLetter, logo: Buffer | undefined): void {
  const top = doc.y;
  const at = logo === undefined ? left : left + LOGO + 14;
  if (logo !== undefined) {
    const box = { fit: [LOGO, LOGO] as [number, number], valign: 'center' as const };
    root.add(doc.struct('Figure', { alt: letter.logoAlt }, () => void doc.image(logo, left, top, box)));
  }
  const own = { width: width - (at - left) };
  for (const [index, line] of letter.head.entries()) {
    const draw = () =>
      doc
        .font(index === 0 ? 'strong' : 'plain')
        .fontSize(index === 0 ? 14 : 11)
        .fillColor(index === 0 ? INK : SOFT)
        .text(line, at, index === 0 ? top + 4 : doc.y + 1, own);
    root.add(drawElement(doc, 'P', draw));
  }
  const issued = () =>
    doc
      .font('plain')
      .fontSize(10)
      .fillColor(SOFT)
      .text(letter.issued, at, doc.y + 2, own);
  root.add(drawElement(doc, 'P', issued));
  doc.y = Math.max(doc.y, logo === undefined ? 0 : top + LOGO) + 22;
}

function drawHeading({ doc, root, left, width }: Draw, title: string): void {
  root.add(
    drawElement(doc, 'H1', () =>
      doc.font('strong').fontSize(19).fillColor(INK).text(title, left, doc.y, { width }),
    ),
  );
  doc.y += 12;
}

function paragraph(draw: Draw, text: string, size = 11): void {
  const { doc, root, left, width } = draw;
  for (const one of text.split(/\n+/)) {
    doc.font('plain').fontSize(size);
    breakPageIfNeeded(draw, Math.min(doc.heightOfString(one, { width }), 60));
    root.add(
      drawElement(doc, 'P', () =>
        doc.font('plain').fontSize(size).fillColor(INK).text(one, left, doc.y, { width, lineGap: 2 }),
      ),
    );
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
        small(doc).heightOfString(title, own);
  return SIGNATURE.above + Math.max(named, SIGNATURE.least) + SIGNATURE.below + QR + 4;
}

function halfOf(width: number): number {
  return (width - 24) / 2;
}

function drawSignature(draw: Draw, letter: PdfLetter): void {
  const { doc, root, left, width } = draw;
  const { signature, signer } = letter;
  breakPageIfNeeded(draw, signedHeight(draw, letter));
  doc.y += SIGNATURE.above;
  const top = doc.y;
  const own = halfOf(width);
  const line = (at: number) => drawArtifact(doc, () => rule(doc, at, top, own));
  line(left);
  root.add(drawElement(doc, 'P', () => small(doc).text(signature, left, top + 5, { width: own })));
  const at = left + own + 24;
  // A printed name needs no line to write on.
  if (signer.length === 1) line(at);
  const [name = '', title] = signer;
  const named = () =>
    (title === undefined ? small(doc) : doc.font('strong').fontSize(NAME_SIZE).fillColor(INK)).text(
      name,
      at,
      top + (title === undefined ? 5 : SIGNATURE.named),
      { width: own },
    );
  root.add(drawElement(doc, 'P', named));
  if (title !== undefined) {
    root.add(drawElement(doc, 'P', () => small(doc).text(title, at, doc.y + 1, { width: own })));
  }
  doc.y = Math.max(doc.y, top + SIGNATURE.least) + SIGNATURE.below;
}

function rule(doc: Doc, at: number, top: number, width: number): void {
  doc
    .moveTo(at, top)
    .lineTo(at + width, top)
    .lineWidth(0.75)
    .stroke(INK);
}

function small(doc: Doc): Doc {
  return doc.font('plain').fontSize(9.5).fillColor(SOFT);
}

function drawCheck(draw: Draw, { address, alt, lines }: PdfLetter['check']): void {
  const { doc, root, left, width } = draw;
  breakPageIfNeeded(draw, QR + 4);
  const top = doc.y;
  root.add(doc.struct('Figure', { alt }, () => drawQrCode(doc, address, { left, top, size: QR })));
  const at = left + QR + 14;
  doc.y = top + 14;
  for (const [index, line] of lines.entries()) {
    const isCode = index === lines.length - 1;
    root.add(
      drawElement(doc, 'P', () =>
        doc
          .font(isCode ? 'strong' : 'plain')
          .fontSize(isCode ? 12 : 9.5)
          .fillColor(isCode ? INK : SOFT)
          .text(line, at, doc.y + (isCode ? 4 : 0), { width: width - QR - 14 }),
      ),
    );
  }
  doc.y = Math.max(doc.y, top + QR);
}

function numberPages(
  { doc, left, width, bottom }: Draw,
  letter: PdfLetter,
  page: string,
  { from, until }: { from: number; until: number },
): void {
  for (let index = from; index < until; index++) {
    doc.switchToPage(index);
    // The footer is inside the bottom margin, where text would start a new page.
    doc.page.margins.bottom = 0;
    doc.markContent('Artifact', { type: 'Pagination' });
    doc.font('plain').fontSize(8.5).fillColor(SOFT);
    if (index > from) {
      const head = [letter.title, letter.name].join(' · ');
      doc.text(head, left, MARGIN - 22, { width, height: 11, ellipsis: true });
    }
    const own = { width: width * 0.78, height: 11, ellipsis: true };
    doc.text(letter.foot, left, bottom + 30, own);
    const number = page.replace('{page}', String(index - from + 1)).replace('{pages}', String(until - from));
    doc.text(number, left, bottom + 30, { width, align: 'right', lineBreak: false });
    doc.endMarkedContent();
  }
}
