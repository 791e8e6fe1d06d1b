import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { messageFiles } from '#server/i18n/translator.ts';
import { atEnd } from '../../after-each-file.ts';
import { baseFolder } from '../../temp-folders.ts';
import { IS_WHOLE } from './check-language.ts';
import { MARKED, marked } from './pseudo-language.ts';

const ROOT = join(import.meta.dirname, '../../..');
const VITEST = 'node_modules/vitest/vitest.mjs';
const PRODUCT = [
  'src',
  'test',
  'scripts',
  'index.html',
  'package.json',
  'vite.config.ts',
  'vitest.config.ts',
];

/**
 * All that a language needs besides its messages: a line wherever the compiler requires one. See docs/architecture.md.
 */
const LINES: readonly (readonly [file: string, before: string, after: string])[] = [
  ['src/shared/i18n/languages.ts', "'es'] as const", `'es', '${MARKED}'] as const`],
  ['src/shared/i18n/languages.ts', "es: 'es-US' }", `es: 'es-US', ${MARKED}: '${MARKED}' }`],
  ['src/web/i18n/language.ts', "es: 'Español' }", `es: 'Español', ${MARKED}: '${marked('Swahili')}' }`],
  [
    'src/features/imports/hours/web/imported-category.ts',
    "es: 'Horas importadas',",
    `es: 'Horas importadas', ${MARKED}: '${marked('Imported hours')}',`,
  ],
  ['vite.config.ts', "['es-ES', 'es-US'] }", `['es-ES', 'es-US'], ${MARKED}: ['en-US'] }`],
];

/** Returns the folder of a copy of the product with one more language. */
function speakingOneMore(): string {
  const copy = mkdtempSync(join(baseFolder(), 'volunteer-time-'));
  atEnd(() => rmSync(copy, { recursive: true, force: true }));
  for (const name of PRODUCT) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  for (const [file, before, after] of LINES) {
    const text = readFileSync(join(copy, file), 'utf8');
    expect(text.split(before), `${before} in ${file}`).toHaveLength(2);
    writeFileSync(join(copy, file), text.replace(before, after));
  }
  for (const file of messageFiles('en')) {
    const texts = Object.entries<string>(JSON.parse(readFileSync(file, 'utf8')));
    const own = Object.fromEntries(texts.map(([key, text]) => [key, marked(text)]));
    writeFileSync(file.replace(ROOT, copy).replace(/\.en\.json$/, `.${MARKED}.json`), JSON.stringify(own));
  }
  return copy;
}

/** Runs Node in a folder. Returns its output if it fails. */
function failureOf(cwd: string, args: readonly string[], settings: Record<string, string>): Promise<string> {
  const { PATH = '', HOME = '', TEST_FULL = '' } = process.env;
  const env = { PATH, HOME, TEST_FULL, NO_COLOR: '1', ...settings };
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  atEnd(() => child.kill());
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  return new Promise((resolve) => {
    child.on('close', (code) => resolve(code === 0 ? '' : said));
  });
}

test('a third language needs only message files and a few lines, and no screen shows English', async () => {
  const copy = speakingOneMore();
  expect(await failureOf(copy, ['scripts/build-pages.ts'], { NODE_ENV: 'production' })).toBe('');
  const files = IS_WHOLE ? ['screens', 'administration'] : ['screens'];
  const walked = files.map((name) => `test/e2e/languages/${name}.spec.ts`);
  const walk = [VITEST, 'run', '--project', 'browser-spanish', ...walked];
  expect(await failureOf(copy, walk, { SPOKEN: MARKED })).toBe('');
});
