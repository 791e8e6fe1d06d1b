import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { removeFormulaGuard } from '#server/export/csv.ts';
import { normalizeText } from '#shared/text-normalization.ts';
import { IMPORT, IMPORT_COLUMNS } from '../contract.ts';
import { parsePeopleCsv } from './people-csv.ts';

const HEADER = 'firstName,lastName,email,role,schools';
const cellsOf = async (text: string) =>
  (await parsePeopleCsv(text)).rows.map(({ cells }) => Object.values(cells));
const refusal = (text: string) =>
  parsePeopleCsv(text).then(
    () => undefined,
    (error: { text: string }) => error.text,
  );

/** A list as another program writes it: columns in any order, cells quoted when needed or anyway. */
const written = fc.record({
  order: fc.shuffledSubarray([...IMPORT_COLUMNS], { minLength: IMPORT_COLUMNS.length }),
  delimiter: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  hasMark: fc.boolean(),
  isUpper: fc.boolean(),
  isQuoted: fc.boolean(),
  endsLine: fc.boolean(),
  people: fc.array(
    fc.record(
      Object.fromEntries(
        IMPORT_COLUMNS.map((column) => [
          column,
          fc.oneof(
            fc.string({ maxLength: 12, unit: 'grapheme' }),
            fc.string({
              maxLength: 8,
              unit: fc.constantFrom('a', 'É', '"', ',', ';', '\t', '|', '\n', '\r\n', ' ', '😀'),
            }),
          ),
        ]),
      ),
    ),
    { minLength: 1, maxLength: 20 },
  ),
});

test('parsePeopleCsv reads CSV files written by other programs', async () => {
  await fc.assert(
    fc.asyncProperty(written, async ({ order, delimiter, lineEnd, people, ...how }) => {
      const kept = people.filter((person) =>
        order.some((column) => normalizeText(person[column] ?? '') !== ''),
      );
      fc.pre(kept.length > 0);
      const quoted = (cell: string) =>
        how.isQuoted || /["\r\n,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
      const lines = [
        order.map((column) => (how.isUpper ? column.toUpperCase() : column)),
        ...people.map((person) => order.map((column) => quoted(person[column] ?? ''))),
      ].map((cells) => cells.join(delimiter));
      const text = `${how.hasMark ? '\uFEFF' : ''}${lines.join(lineEnd)}${how.endsLine ? lineEnd : ''}`;
      const file = await parsePeopleCsv(text);
      expect(file.rows.map(({ cells }) => cells)).toEqual(
        kept.map((person) =>
          Object.fromEntries(
            IMPORT_COLUMNS.map((column) => [column, normalizeText(removeFormulaGuard(person[column] ?? ''))]),
          ),
        ),
      );
      expect(file.unusedColumns).toEqual([]);
      expect(file.rows.every((row) => !row.hasTooManyCells)).toBe(true);
    }),
    { numRuns: 300 },
  );
});

describe('parsePeopleCsv', () => {
  test('recognizes columns in any order, case and spelling', async () => {
    const file = await parsePeopleCsv(
      'Phone;É-Mail Address;SURNAME;First Name\r\n1;r@b.example;Müller;Renée\r\n',
    );
    expect(file.unusedColumns).toEqual(['Phone']);
    expect(file.rows).toEqual([
      {
        row: 2,
        cells: { firstName: 'Renée', lastName: 'Müller', email: 'r@b.example', role: '', schools: '' },
        hasTooManyCells: false,
      },
    ]);
  });

  test('recognizes Spanish column names', async () => {
    const file = await parsePeopleCsv(
      'Nombre,Apellidos,Correo electrónico,Función,Escuelas\nAna,Ruiz,a@b.example,,Roble\n',
    );
    expect(file).toMatchObject({
      unusedColumns: [],
      rows: [
        { cells: { firstName: 'Ana', lastName: 'Ruiz', email: 'a@b.example', role: '', schools: 'Roble' } },
      ],
    });
  });

  test.each(['', '\uFEFF'])('uses the separator declared after %j', async (mark) => {
    const text = `${mark}sep=;\r\nfirstName;lastName;email\r\nA;B;"c;d"`;
    expect(await cellsOf(text)).toEqual([['A', 'B', 'c;d', '', '']]);
  });

  test('numbers rows as a spreadsheet does, including blank ones', async () => {
    const file = await parsePeopleCsv(`\n${HEADER}\n\nA,B,c@d.example\n,,,\n"E\nF",G,h@i.example,,x,y,\n`);
    expect(file.rows.map(({ row, hasTooManyCells }) => [row, hasTooManyCells])).toEqual([
      [4, false],
      [6, true],
    ]);
  });

  test('reads a long file completely, wherever its chunks are split', async () => {
    const smiles = '😀'.repeat(15);
    const lines = Array.from({ length: 6_000 }, (_, at) => `Zoë,"Ünal, ${at}",z${at}@b.example,,${smiles}`);
    const rows = await cellsOf([HEADER, ...lines].join('\r\n'));
    expect(rows).toHaveLength(6_000);
    expect(rows.at(-1)).toEqual(['Zoë', 'Ünal, 5999', 'z5999@b.example', '', smiles]);
    expect(rows.every(([, , , , last]) => last === smiles)).toBe(true);
  });

  test.each([
    ['is blank', '\n \n', 'people:fileEmpty'],
    ['has names of columns only', `${HEADER}\n\n`, 'people:fileEmpty'],
    ['lacks columns', 'firstName,phone\nA,1', 'people:columnsMissing {"columns":"lastName, email"}'],
    ['has a column twice', 'firstName,lastName,email,Mail\nA,B,c,d', 'people:columnTwice {"column":"email"}'],
    ['never closes a quotation mark', `${HEADER}\nA,B,c@d.example\nA,"B,c\n`, 'people:quoteOpen {"row":3}'],
  ])('rejects a file that %s', async (_what, text, message) => {
    expect(await refusal(text)).toBe(message);
  });

  test('accepts up to 20,000 rows', async () => {
    const text = (rows: number) => `${HEADER}\n${'A,B,c@d.example\n'.repeat(rows)}`;
    expect(await cellsOf(text(IMPORT.rows))).toHaveLength(20_000);
    expect(await refusal(text(IMPORT.rows + 1))).toBe('people:tooManyRows {"max":20000}');
  });
});
