import { formatNumber } from './numbers.ts';

/** Hours as the wire and the screens carry them: a number with at most two decimals, such as 1.5. */
export type Hours = number;

/** Whether a number can be written with two decimals. True for every whole hundredth up to a million hours. */
export function hasAtMostTwoDecimals(hours: Hours): boolean {
  return Math.round(hours * 100) / 100 === hours;
}

/** Hours as they are stored: whole hundredths. 1.5 -> 150. */
export function toHundredths(hours: Hours): number {
  return Math.round(hours * 100);
}

/** Stored hundredths as hours. 150 -> 1.5. */
export function fromHundredths(hundredths: number): Hours {
  return hundredths / 100;
}

/** An exact sum: 0.1 + 0.2 is 0.3. */
export function sumHours(all: readonly Hours[]): Hours {
  return fromHundredths(all.reduce((sum, hours) => sum + toHundredths(hours), 0));
}

/** Hours as they are written in the language given: '1.5', '1,234.75'. Never more than two decimals. */
export function formatHours(hours: Hours, language: string): string {
  return formatNumber(hours, language);
}
