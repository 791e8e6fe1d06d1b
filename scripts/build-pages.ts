import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { LANGUAGES } from '#base/language.ts';

// Builds the pages into the folder named, once for each language: whoever opens one loads the texts of that language
// alone. Parts without texts have the same name in all of them.
const [outDir = 'dist'] = process.argv.slice(2);

for (const [at, language] of [...LANGUAGES].reverse().entries()) {
  process.env['PAGE_LANGUAGE'] = language;
  const isFirst = language === LANGUAGES[0];
  await build({
    logLevel: 'warn',
    build: { outDir, emptyOutDir: at === 0, manifest: isFirst ? true : `.vite/manifest.${language}.json` },
  });
  if (!isFirst) renameSync(join(outDir, 'index.html'), join(outDir, `index.${language}.html`));
}
