import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Texts } from '#text/catalogue.ts';

const SOURCES = join(import.meta.dirname, '..');

/**
 * Every text of a language by room and key, read from the files `*text.<language>.json` of base/, web/ and each room. For
 * the server; a browser gets the files that its parts name.
 */
export function textsIn(language: string): Texts {
  const texts: Record<string, Record<string, string>> = {};
  for (const file of textFiles(language)) {
    const room = basename(dirname(file));
    texts[room] = { ...texts[room], ...JSON.parse(readFileSync(file, 'utf8')) };
  }
  return texts;
}

/** The files of a language's texts, in order. */
export function textFiles(language: string): string[] {
  return globSync(`{base,web,rooms/*}/*text.${language}.json`, { cwd: SOURCES })
    .sort()
    .map((file) => join(SOURCES, file));
}
