/** Formats a number in a language: '1.5', '1,234.75'. Never more than two decimals. */
export function formatNumber(value: number, language: string): string {
  return formatterOf(language).format(value);
}

/**
 * Parses a number as people write it: '1.5', '1,5', '1,234', '1,234.50'. Undefined for anything else, such as
 * '1.234', which is a thousand in some countries and about one in others.
 */
export function readNumber(text: string): number | undefined {
  const written = text.trim();
  const decimal = /^(\d*)[.,]?(\d{0,2})$/.exec(written);
  if (decimal !== null && /\d/.test(written)) return Number(`${decimal[1] || '0'}.${decimal[2] || '0'}`);
  return /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d{1,2})?$/.test(written)
    ? Number(written.replaceAll(',', ''))
    : undefined;
}

const formatters = new Map<string, Intl.NumberFormat>();

// Creating a formatter takes longer than a query.
function formatterOf(language: string): Intl.NumberFormat {
  const known = formatters.get(language);
  if (known !== undefined) return known;
  const made = new Intl.NumberFormat(language, { maximumFractionDigits: 2 });
  formatters.set(language, made);
  return made;
}
