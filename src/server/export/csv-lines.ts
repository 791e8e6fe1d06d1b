// Text that a spreadsheet would treat as a formula: a leading sign, also full-width or after blanks, followed
// by something. A lone dash is plain text.
const FORMULA = /^\s*(?:[=+\-@＝＋－＠](?![\s-]*$)|\t|\r)/;
const GUARDED = /^'(?=\s*[=+\-@＝＋－＠\t\r])/;
// Also quote fields with any reader's separators or line breaks, and with blanks that some readers would
// trim.
const QUOTED = /[",;\t\r\n]|^\s|\s$/;

/**
 * Formats rows as CSV with RFC 4180 line ends. Text that a spreadsheet would treat as a formula gets a
 * leading apostrophe.
 */
export function csvLines(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Removes the apostrophe that `csvLines` added. */
export function removeFormulaGuard(text: string): string {
  return text.replace(GUARDED, '');
}

function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
