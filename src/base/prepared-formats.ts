/**
 * Days and numbers as languages write them, by language and format: twelve patterns, one for each month, or the decimal sign.
 * Empty in browsers, which ask Intl; the server fills it in when it opens its catalogues.
 */
export const PREPARED: Record<string, readonly string[]> = {};
