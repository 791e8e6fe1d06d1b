// What a spreadsheet would compute: a sign at the start, also full-width or after blanks, with something behind it. A
// dash that stands alone is a text like any other.
const FORMULA = /^\s*(?:[=+\-@＝＋－＠](?![\s-]*$)|\t|\r)/;
const GUARDED = /^'(?=\s*[=+\-@＝＋－＠\t\r])/;
// Quotes as well around the line breaks and separators of any reader, and blanks that some of them would trim.
const QUOTED = /[",;\t\r\n]|^\s|\s$/;

/** Rows as CSV with the line ends of RFC 4180. A text that a spreadsheet would compute gets an apostrophe in front. */
export function csvLines(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A cell as it was before `csvLines` put an apostrophe in front of it. */
export function removeFormulaGuard(text: string): string {
  return text.replace(GUARDED, '');
}

function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
