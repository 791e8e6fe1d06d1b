/**
 * Days and numbers as languages write them, by language and format: twelve patterns, one for each month, or the decimal sign.
 * Empty here. The build of the pages fills it in for the page's language, since to ask Intl for the first of them takes a
 * slow phone a fifth of a second.
 */
export const PREPARED: Record<string, readonly string[]> = {};
