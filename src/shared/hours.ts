import { formatNumber } from './i18n/number-format.ts';
import { foldForSearch } from './text-normalization.ts';

/** Hours on the wire and on screens: a number with at most two decimals, such as 1.5. */
export type Hours = number;

/** Whether a number has at most two decimals. True for every whole hundredth up to a million hours. */
export function hasAtMostTwoDecimals(hours: Hours): boolean {
  return Math.round(hours * 100) / 100 === hours;
}

/** Converts hours to stored hundredths. 1.5 -> 150. */
export function toHundredths(hours: Hours): number {
  return Math.round(hours * 100);
}

/** Converts stored hundredths to hours. 150 -> 1.5. */
export function fromHundredths(hundredths: number): Hours {
  return hundredths / 100;
}

/** An exact sum, so that 0.1 + 0.2 is 0.3. */
export function sumHours(all: readonly Hours[]): Hours {
  return fromHundredths(all.reduce((sum, hours) => sum + toHundredths(hours), 0));
}

/** Formats hours in a language: '1.5', '1,234.75'. Never more than two decimals. */
export function formatHours(hours: Hours, language: string): string {
  return formatNumber(hours, language);
}

const QUARTERS: Readonly<Record<string, number>> = { '¼': 0.25, '½': 0.5, '¾': 0.75 };

/**
 * Parses hours as people and programs write them, unrounded: '2.5', '2,5', '2:30', '2h 30m', '150 minutes',
 * '1½'. Undefined for anything else, such as the ambiguous '1,234'.
 */
export function readHours(text: string): number | undefined {
  const written = foldForSearch(text);
  if (!/[\d¼½¾]/.test(written)) return undefined;
  const number = /^(\d{0,4})(?:\.(\d*)|,(\d{0,2}))?\s*(?:h|hrs?\.?|hours?|horas?)?$/.exec(written);
  if (number !== null) return Number(`${number[1] || '0'}.${number[2] || number[3] || '0'}`);
  const part = /^(\d{0,3})\s*([¼½¾])\s*(?:h|hrs?\.?|hours?|horas?)?$/.exec(written);
  if (part !== null) return Number(part[1]) + (QUARTERS[part[2] ?? ''] ?? 0);
  const clock = /^(\d{1,3}):([0-5]\d)(?::([0-5]\d))?$/.exec(written);
  if (clock !== null) return Number(clock[1]) + Number(clock[2]) / 60 + Number(clock[3] ?? 0) / 3600;
  const words =
    /^(?:(\d{1,3}(?:[.,]\d+)?)\s*(?:h|hrs?\.?|hours?|horas?)[,\s]*(?:and |y )?)?(?:(\d{1,5})\s*(?:m|mins?\.?|minutes?|minutos?))?$/.exec(
      written,
    );
  if (words === null) return undefined;
  return Number((words[1] ?? '0').replace(',', '.')) + Number(words[2] ?? 0) / 60;
}

/**
 * Parses hours typed into a field. A time such as '0:20' is rounded to two decimals; a decimal number is not
 * rounded.
 */
export function typedHours(text: string): Hours | undefined {
  const hours = readHours(text);
  const isDecimal = /^[\d.,]+$/.test(text.trim());
  return hours === undefined || isDecimal ? hours : Math.round(hours * 100) / 100;
}
