import { PREPARED } from './prepared-formats.ts';

/** A number as it is written in the language given: '1.5', '1,234.75'. Never more than two decimals. */
export function formatNumber(value: number, language: string): string {
  return plainly(value, language) ?? formatterOf(language).format(value);
}

/**
 * A number as people write it: '1.5', '1,5', '1,234', '1,234.50'. Undefined for anything else, such as '1.234', which is
 * a thousand in some countries and one and a bit in others.
 */
export function readNumber(text: string): number | undefined {
  const written = text.trim();
  const decimal = /^(\d*)[.,]?(\d{0,2})$/.exec(written);
  if (decimal !== null && /\d/.test(written)) return Number(`${decimal[1] || '0'}.${decimal[2] || '0'}`);
  return /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d{1,2})?$/.test(written)
    ? Number(written.replaceAll(',', ''))
    : undefined;
}

// Below a thousand a number has no other sign in it than the decimal one.
function plainly(value: number, language: string): string | undefined {
  const decimal = PREPARED[`${language} decimal`]?.[0];
  const isPlain =
    value >= 0 && !Object.is(value, -0) && value < 1_000 && Math.round(value * 100) / 100 === value;
  return decimal !== undefined && isPlain ? String(value).replace('.', decimal) : undefined;
}

/** The decimal sign of a language, for `PREPARED`; nothing where digits are not written as here. */
export function decimalSign(language: string): Record<string, readonly string[]> {
  const digits = new Intl.NumberFormat(language, { useGrouping: false }).format(1_234_567_890);
  const sign = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal');
  return digits === '1234567890' && sign !== undefined ? { [`${language} decimal`]: [sign.value] } : {};
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
