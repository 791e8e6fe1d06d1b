import { once } from 'node:events';
import { crc32, createDeflateRaw } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';
import { type CalendarDate, day, daysBetween } from '#shared/calendar-date.ts';
import type { ColumnKind } from '#shared/entity-fields.ts';
import { FORMULA } from './csv.ts';
import type { Column, Piece, Row, Table } from './export-table.ts';

/** Rows per sheet, without the titles; Excel's limit is 1,048,576. */
export const SHEET_ROWS = 1_000_000;

// A higher level takes twice as long and saves a tenth.
const LEVEL = 3;

/** An additional table of a workbook. Its rows are not counted. */
export type AdditionalTable = Readonly<{ table: Table; pages: AsyncIterable<readonly Row[]> }>;

/**
 * A table as an Excel workbook, page by page: real dates and numbers, frozen titles, and another sheet
 * whenever one is full; then the additional tables. Only the current chunk is in memory.
 */
export async function* writeXlsx(
  table: Table,
  pages: AsyncIterable<readonly Row[]>,
  { sheetRows = SHEET_ROWS, further = [] }: { sheetRows?: number; further?: readonly AdditionalTable[] } = {},
): AsyncGenerator<Piece> {
  const made: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error !== null) throw error;
    made.push(bytes);
  });
  const progress = { rows: 0 };
  const names: string[] = [];
  for (const part of [{ table, pages }, ...further]) {
    const counted = part.pages === pages ? progress : { rows: 0 };
    const rest = aheadOf(part.pages);
    let sheets = 0;
    do {
      sheets += 1;
      names.push(sheets === 1 ? part.table.name : `${part.table.name} ${sheets}`);
      for await (const _ of compressed(
        zip,
        `xl/worksheets/sheet${names.length}.xml`,
        sheetOf(part.table, rest, sheetRows, counted),
      ))
        yield* taken(made, progress);
    } while (await rest.hasMore());
  }
  for (const [path, text] of Object.entries(aroundSheets(names))) {
    for await (const _ of compressed(zip, path, [text])) yield* taken(made, progress);
  }
  zip.end();
  yield* taken(made, progress);
}

/** A buffer over pages, from which any number of rows can be taken. */
type RowBuffer = { take: (atMost: number) => Promise<readonly Row[]>; hasMore: () => Promise<boolean> };

function aheadOf(pages: AsyncIterable<readonly Row[]>): RowBuffer {
  const source = pages[Symbol.asyncIterator]();
  let ahead: readonly Row[] = [];
  async function hasMore() {
    while (ahead.length === 0) {
      const { done, value } = await source.next();
      if (done === true) return false;
      ahead = value;
    }
    return true;
  }
  return {
    hasMore,
    async take(atMost) {
      if (!(await hasMore())) return [];
      const some = ahead.slice(0, atMost);
      ahead = ahead.slice(atMost);
      return some;
    },
  };
}

async function* sheetOf(
  { columns }: Table,
  rest: RowBuffer,
  sheetRows: number,
  progress: { rows: number },
): AsyncGenerator<string> {
  const letters = columns.map((_, index) => letterOf(index));
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  );
  yield `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join('')}</cols><sheetData>`;
  yield `<row r="1">${columns.map(({ title }, at) => textCell(`${letters[at]}1`, title, STYLE.title)).join('')}</row>`;
  let left = sheetRows;
  for (let rows = await rest.take(left); left > 0 && rows.length > 0; rows = await rest.take(left)) {
    let text = '';
    for (const row of rows) {
      const number = sheetRows - left + 2;
      text += rowOf(columns, letters, row, number);
      left -= 1;
    }
    progress.rows += rows.length;
    yield text;
    if (left === 0) break;
  }
  yield '</sheetData></worksheet>';
}

function rowOf(columns: readonly Column[], letters: readonly string[], row: Row, number: number): string {
  let cells = '';
  for (let at = 0; at < columns.length; at += 1) {
    const value = row[at];
    if (value === null || value === undefined || value === '') continue;
    cells += cellOf(columns[at]?.kind ?? 'text', `${letters[at]}${number}`, value);
  }
  return `<row r="${number}">${cells}</row>`;
}

function cellOf(kind: ColumnKind, place: string, value: string | number): string {
  if (kind === 'text') {
    const text = String(value);
    // A quoted cell stays text, never a formula, even when it is edited.
    return textCell(place, text, FORMULA.test(text) ? STYLE.quoted : STYLE.text);
  }
  if (kind === 'hours' || kind === 'money') return numberCell(place, Number(value), STYLE.twoDecimals);
  if (kind === 'number') return numberCell(place, Number(value), STYLE.whole);
  if (kind === 'day') return numberCell(place, serialOf(day(String(value))), STYLE.day);
  return numberCell(place, serialOfMoment(String(value)), STYLE.moment);
}

function textCell(place: string, text: string, style: number): string {
  return `<c r="${place}" s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

function numberCell(place: string, value: number, style: number): string {
  return `<c r="${place}" s="${style}"><v>${value}</v></c>`;
}

// Characters that XML cannot contain; and `_x0041_`, which Excel would decode as the letter A.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being removed
const SPECIAL = /[&<>\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/g;
const SPELLED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', _: '_x005F_' };

function escaped(text: string): string {
  return text.toWellFormed().replace(SPECIAL, (found) => SPELLED[found] ?? '');
}

const DAY_ONE = day('1900-01-01');
const LEAP_THAT_WAS_NONE = day('1900-03-01');

// Excel counts days from 1900 and includes a February 29 that did not exist in that year.
function serialOf(date: CalendarDate): number {
  return daysBetween(DAY_ONE, date) + (date < LEAP_THAT_WAS_NONE ? 1 : 2);
}

function serialOfMoment(wall: string): number {
  const minutes = Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16));
  return serialOf(day(wall.slice(0, 10))) + Math.round((minutes / 1440) * 1e9) / 1e9;
}

function letterOf(index: number): string {
  return String.fromCharCode(65 + index);
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const STYLE = { text: 0, title: 1, day: 2, twoDecimals: 3, moment: 4, quoted: 5, whole: 6 } as const;

// Number formats: 1 is a whole number, 2 has two decimals; 14 and 22 are a date and a date with time in the
// reader's locale.
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="7"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="14" applyNumberFormat="1"/><xf xfId="0" numFmtId="2" applyNumberFormat="1"/><xf xfId="0" numFmtId="22" applyNumberFormat="1"/><xf xfId="0" quotePrefix="1"/><xf xfId="0" numFmtId="1" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

function aroundSheets(names: readonly string[]): Record<string, string> {
  const numbers = names.map((_, index) => index + 1);
  const listed = names.map(
    (name, index) => `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  const related = numbers.map(
    (n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
  );
  const typed = numbers.map(
    (n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${TYPES}.worksheet+xml"/>`,
  );
  return {
    'xl/styles.xml': STYLES,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${listed.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${related.join('')}<Relationship Id="rId0" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml': `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/>${typed.join('')}</Types>`,
  };
}

/** Compresses a file into the archive; yields bytes as they are produced. */
async function* compressed(
  zip: Zip,
  filename: string,
  texts: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<void> {
  const file: ZipInputFile = { filename, size: 0, crc: 0, compression: 8 };
  zip.add(file);
  const out = (bytes: Uint8Array<ArrayBuffer>, isLast: boolean) => file.ondata?.(null, bytes, isLast);
  // Node's compressor runs in another thread; the archive library's own would block this one.
  const deflate = createDeflateRaw({ level: LEVEL });
  deflate.on('data', (bytes: Buffer<ArrayBuffer>) => out(bytes, false));
  try {
    for await (const text of texts) {
      const bytes = Buffer.from(text);
      file.size += bytes.length;
      file.crc = crc32(bytes, file.crc);
      if (!deflate.write(bytes)) await once(deflate, 'drain');
      yield;
    }
    deflate.end();
    await once(deflate, 'end');
  } finally {
    deflate.destroy();
  }
  out(new Uint8Array(0), true);
  yield;
}

function* taken(made: Uint8Array[], { rows }: { rows: number }): Generator<Piece> {
  for (const bytes of made.splice(0)) yield { bytes, rows };
}
