import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Texts } from '#shared/i18n/message-catalog.ts';

const SOURCES = join(import.meta.dirname, '../..');

/**
 * Every message of a language by namespace (the name of its folder) and key, read from the `messages*.<language>.json` files
 * of shared/, web/ and the features. For the server; a browser gets the files that its screens import.
 */
export function textsIn(language: string): Texts {
  const texts: Record<string, Record<string, string>> = {};
  for (const file of messageFiles(language)) {
    const room = basename(dirname(file));
    texts[room] = { ...texts[room], ...JSON.parse(readFileSync(file, 'utf8')) };
  }
  return texts;
}

/** The files of a language's texts, in order. */
export function messageFiles(language: string): string[] {
  return globSync(`{shared,web,features/**}/messages*.${language}.json`, { cwd: SOURCES })
    .sort()
    .map((file) => join(SOURCES, file));
}
