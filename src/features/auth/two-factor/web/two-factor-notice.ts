/**
 * The query key of the notice that an administrator still needs two-factor authentication. Invalidated when that may change.
 */
export const TWO_FACTOR_NOTICE = ['two-factor-notice'];
