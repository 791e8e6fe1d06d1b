import type { Instant } from '#base/calendar-date.ts';

/**
 * Somebody whose data is handed out or forgotten: the account, each address that it is known to have had (as `emailKey`
 * compares them), and the moment at which it was asked for.
 */
export type Person = Readonly<{ id: number; addresses: readonly string[]; at: Instant }>;
