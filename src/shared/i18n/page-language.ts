import { LANGUAGES, type Language } from './languages.ts';

/** The language of these pages: they are built once for each, and the build of another one puts its name here. */
export const PAGE_LANGUAGE: Language = LANGUAGES[0];
