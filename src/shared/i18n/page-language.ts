import { LANGUAGES, type Language } from './languages.ts';

/** The language of these pages. They are built once per language; the build replaces this value. */
export const PAGE_LANGUAGE: Language = LANGUAGES[0];
