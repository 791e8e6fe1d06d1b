import { en } from '#text/en.ts';

/**
 * What the screens say, by room and key, in the language that the browser tests run in. A test that is about a text
 * itself has it in full.
 */
export const words = en;
