import { parse } from 'csv-parse/sync';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { commonMessages } from '#shared/common-messages.ts';
import { sheetsOf } from '#test/workbook.ts';
import { writeCsv } from './csv.ts';
import type { Piece, Row, Table } from './export-table.ts';
import { readTable } from './read-csv-table.ts';
import { writeXlsx } from './xlsx.ts';

const TABLE: Table = {
  name: 'Hours & more',
  columns: [
    { title: 'Day', kind: 'day', width: 12 },
    { title: 'Note', kind: 'text', width: 20 },
    { title: 'Hours', kind: 'hours', width: 8 },
    { title: 'Created', kind: 'moment', width: 16 },
  ],
};

const FORMULAS = [
  '=1+1',
  '+1',
  '-1',
  '- 1',
  '@SUM(A1)',
  '\t=1',
  '\r=1',
  ' =1',
  '\n=1',
  '＝1+1',
  '=HYPERLINK("http://evil.example","x")',
];
const ODD = [
  'a,b',
  'say "hi"',
  'two\nlines',
  'and\r\nmore',
  'Helped\n=cmd|A0',
  '-',
  '--',
  'a;b',
  ' blank ahead',
  '<b>&amp;',
  '_x0041_',
  'Zoë 🍎',
  'x\u0001y',
  '0012',
  '1e5',
];

async function fileOf(pieces: AsyncIterable<Piece>) {
  const parts: Uint8Array[] = [];
  let rows = 0;
  for await (const piece of pieces) {
    parts.push(piece.bytes);
    rows = piece.rows;
  }
  return { bytes: Buffer.concat(parts), rows };
}

async function* inPages(...pages: (readonly Row[])[]) {
  yield* pages;
}

const withNote = (note: string | null): Row => ['2026-03-04', note, 1.5, '2026-03-04 12:05'];

describe('a CSV file', () => {
  // As strict as a spreadsheet: every bare line break ends a row.
  const read = (bytes: Buffer) =>
    parse(bytes, { bom: true, record_delimiter: ['\r\n', '\n', '\r'] }) as string[][];

  test('is UTF-8 with a byte order mark, has column titles, and does not change texts', async () => {
    const { bytes, rows } = await fileOf(writeCsv(TABLE, inPages(ODD.map(withNote), [withNote(null)])));
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(rows).toBe(ODD.length + 1);
    expect(read(bytes)).toEqual([
      ['Day', 'Note', 'Hours', 'Created'],
      ...[...ODD, ''].map((note) => ['2026-03-04', note, '1.5', '2026-03-04 12:05']),
    ]);
  });

  test('contains no formulas', async () => {
    const { bytes } = await fileOf(writeCsv(TABLE, inPages(FORMULAS.map(withNote))));
    expect(
      read(bytes)
        .slice(1)
        .map(([, note]) => note),
    ).toEqual(FORMULAS.map((note) => `'${note}`));
  });

  test('can be imported again without changes', async () => {
    const texts = [...ODD, ...FORMULAS];
    const { bytes } = await fileOf(writeCsv(TABLE, inPages(texts.map(withNote))));
    const problem = commonMessages.tooLong(1);
    const rules = { rows: 100, fileEmpty: problem, tooManyRows: problem, quoteOpen: () => problem };
    const { rows } = await readTable(bytes.toString('utf8'), rules);
    expect(rows.map(({ cells }) => cells[1])).toEqual(texts);
  });
});

describe('an Excel file', () => {
  test('has days and hours as formatted numbers, and unchanged texts', async () => {
    const { bytes, rows } = await fileOf(writeXlsx(TABLE, inPages(ODD.map(withNote), [withNote(null)])));
    expect(rows).toBe(ODD.length + 1);
    const [title, ...others] = sheetsOf(bytes).get('Hours & more') ?? [];
    expect(title).toEqual({ A: 'Day', B: 'Note', C: 'Hours', D: 'Created' });
    expect(others.map((row) => row['B'])).toEqual([
      ...ODD.map((note) => note.replace('\u0001', '')),
      undefined,
    ]);
    for (const { A, C, D } of others) {
      expect([A, C]).toEqual([
        { number: 46085, style: 2 },
        { number: 1.5, style: 3 },
      ]);
      expect(D).toEqual({ number: 46085.503472222, style: 4 });
    }
  });

  test('formats money with two decimals and counts with none', async () => {
    const columns = [
      { title: 'Entries', kind: 'number', width: 8 },
      { title: 'Value', kind: 'money', width: 8 },
    ] as const;
    const { bytes } = await fileOf(writeXlsx({ name: 'Value', columns }, inPages([[12, 31.8]])));
    const [, row] = sheetsOf(bytes).get('Value') ?? [];
    expect(row).toEqual({ A: { number: 12, style: 6 }, B: { number: 31.8, style: 3 } });
    const styles = strFromU8(unzipSync(bytes)['xl/styles.xml'] ?? new Uint8Array());
    const formats = [...styles.matchAll(/<xf xfId="0"[^>]*?(?:numFmtId="(\d+)"[^>]*)?\/>/g)].map(
      ([, id]) => id,
    );
    // Excel's own numbers of formats: 1 is '0', 2 is '0.00'.
    expect([formats[6], formats[3]]).toEqual(['1', '2']);
  });

  test('has further tables on separate sheets, and counts the rows of the first', async () => {
    const further = [
      { table: { ...TABLE, name: 'Totals' }, pages: inPages([withNote('c')], [withNote('d')]) },
    ];
    const first = inPages([withNote('a')], [withNote('b')]);
    const { bytes, rows } = await fileOf(writeXlsx(TABLE, first, { sheetRows: 1, further }));
    const texts = [...sheetsOf(bytes)].map(([name, [, row]]) => [name, row?.['B']]);
    expect(texts).toEqual([
      ['Hours & more', 'a'],
      ['Hours & more 2', 'b'],
      ['Totals', 'c'],
      ['Totals 2', 'd'],
    ]);
    expect(rows).toBe(2);
  });

  test('numbers days as Excel does, including its false leap day in 1900', async () => {
    const days = ['1900-01-01', '1900-02-28', '1900-03-01', '1999-12-31', '2024-02-29'];
    const { bytes } = await fileOf(writeXlsx(TABLE, inPages(days.map((one): Row => [one, null, 1, null]))));
    const [, ...rows] = sheetsOf(bytes).get('Hours & more') ?? [];
    expect(rows.map(({ A }) => (typeof A === 'object' ? A.number : A))).toEqual([1, 59, 61, 36525, 45351]);
  });

  test('contains no formulas, and quotes texts that would become one when edited', async () => {
    const { bytes } = await fileOf(writeXlsx(TABLE, inPages(FORMULAS.map(withNote))));
    const [, ...rows] = sheetsOf(bytes).get('Hours & more') ?? [];
    expect(rows.map((row) => row['B'])).toEqual(FORMULAS);
    const parts = unzipSync(bytes);
    const xmlOf = (path: string) => strFromU8(parts[path] ?? new Uint8Array());
    const sheet = xmlOf('xl/worksheets/sheet1.xml');
    expect(sheet).not.toContain('<f');
    const [, ...formats] = xmlOf('xl/styles.xml').split('<xf ');
    const styles = [...sheet.matchAll(/<c r="B(\d+)" s="(\d+)"/g)].map(([, row, style]) => [
      Number(row),
      formats[Number(style)]?.includes('quotePrefix="1"'),
    ]);
    expect(styles).toEqual([[1, false], ...FORMULAS.map((_, at) => [at + 2, true])]);
  });

  test('continues on another sheet when one is full, and repeats the column titles', async () => {
    const note = (at: number) => withNote(`row ${at}`);
    const count = async (rows: number, perSheet: number, perPage: number) => {
      const all = Array.from({ length: rows }, (_, at) => note(at));
      const pages = Array.from({ length: Math.ceil(rows / perPage) }, (_, at) =>
        all.slice(at * perPage, (at + 1) * perPage),
      );
      const sheets = sheetsOf(
        (await fileOf(writeXlsx(TABLE, inPages(...pages), { sheetRows: perSheet }))).bytes,
      );
      const texts = [...sheets.values()].flatMap(([title, ...others]) => {
        expect(title?.['B']).toBe('Note');
        return others.map((row) => row['B']);
      });
      expect(texts).toEqual(all.map((row) => row[1]));
      return [...sheets].map(([name, { length }]) => `${name}: ${length - 1}`);
    };
    expect(await count(7, 3, 2)).toEqual(['Hours & more: 3', 'Hours & more 2: 3', 'Hours & more 3: 1']);
    expect(await count(6, 3, 5)).toEqual(['Hours & more: 3', 'Hours & more 2: 3']);
    expect(await count(0, 3, 5)).toEqual(['Hours & more: 0']);
  });
});
