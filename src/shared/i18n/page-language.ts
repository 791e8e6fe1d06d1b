import { LANGUAGES, type Language } from './languages.ts';

/** The language of the built pages. The build creates the pages once per language and replaces this value. */
export const PAGE_LANGUAGE: Language = LANGUAGES[0];
