import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import { addIcons, finishPages, namesOf } from './page-shell.ts';

// Builds the pages into the folder in the argument, once for each language, so that a browser loads the messages of only one
// language. Chunks without messages have the same name in all languages.
const [outDir = 'dist'] = process.argv.slice(2);

for (const [at, language] of [...LANGUAGES].reverse().entries()) {
  process.env['PAGE_LANGUAGE'] = language;
  const { chunks, page } = namesOf(language);
  await build({ logLevel: 'warn', build: { outDir, emptyOutDir: at === 0, manifest: chunks } });
  if (page !== 'index.html') renameSync(join(outDir, 'index.html'), join(outDir, page));
  await finishPages(outDir, language);
}
await addIcons(outDir);
