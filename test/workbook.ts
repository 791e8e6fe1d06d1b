import { strFromU8, unzipSync } from 'fflate';

/** A stored cell: its text, or its number and the index of its style. */
export type StoredCell = string | { number: number; style: number };

/** The sheets of an Excel file by name, each with its rows of cells by letter: `{ A: 'Date', B: ... }`. */
export function sheetsOf(file: Uint8Array): Map<string, Record<string, StoredCell>[]> {
  const parts = unzipSync(file);
  const part = (path: string) => strFromU8(parts[path] ?? fail(`${path} is missing`));
  const targets = new Map(
    [...part('xl/_rels/workbook.xml.rels').matchAll(/Id="(\w+)"[^>]*Target="([^"]+)"/g)].map(
      ([, id, target]) => [id, target],
    ),
  );
  const types = part('[Content_Types].xml');
  const listed = [...part('xl/workbook.xml').matchAll(/<sheet name="([^"]+)" sheetId="\d+" r:id="(\w+)"/g)];
  return new Map(
    listed.map(([, name = '', id]) => {
      const path = `xl/${targets.get(id)}`;
      if (!types.includes(`PartName="/${path}"`)) fail(`${path} has no type`);
      return [unescaped(name), rowsOf(part(path))];
    }),
  );
}

function rowsOf(xml: string): Record<string, StoredCell>[] {
  return [...xml.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)].map(([, number, cells = ''], index) => {
    if (Number(number) !== index + 1) fail(`row ${number} is at position ${index + 1}`);
    const found = cells.matchAll(/<c r="([A-Z]+)(\d+)" s="(\d+)"(?: t="inlineStr")?>(.*?)<\/c>/gs);
    return Object.fromEntries(
      [...found].map(([, letter, row, style, content = '']) => {
        if (row !== number) fail(`cell ${letter}${row} is in row ${number}`);
        const [, text] = /^<is><t xml:space="preserve">(.*)<\/t><\/is>$/s.exec(content) ?? [];
        const [, value] = /^<v>(.*)<\/v>$/.exec(content) ?? [];
        return [
          letter,
          text === undefined ? { number: Number(value), style: Number(style) } : unescaped(text),
        ];
      }),
    );
  });
}

function unescaped(text: string): string {
  return text
    .replace(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

function fail(what: string): never {
  throw new Error(what);
}
