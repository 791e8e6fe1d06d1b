import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SETTING_NAMES } from '#server/config.ts';
import { DOCUMENTS, documentedCommands } from './documented-commands.ts';

/** For people who see the screens only: bold words are labels on them. */
const GUIDES = ['docs/volunteers.md', 'docs/volunteers.es.md', 'docs/administrators.md'];

const textOf = (document: string) => readFileSync(document, 'utf8');

describe('the documents', () => {
  test.each(DOCUMENTS)('link only to existing files: %s', (document) => {
    const links = [...textOf(document).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => to);
    const missing = links
      .filter((to) => !/^(https?|mailto):/.test(to))
      .filter((to) => !existsSync(join(dirname(document), to)));
    expect(missing).toEqual([]);
  });

  test('name only existing source files', () => {
    const PATH = /`((?:bench|deploy|docs|scripts|src|test)\/[\w./-]+\.\w+)`/g;
    const missing = DOCUMENTS.flatMap((document) =>
      [...textOf(document).matchAll(PATH)]
        .filter(([, path = '']) => !path.includes('NN-') && !existsSync(path))
        .map(([path]) => `${document}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  test.each(GUIDES)('quote labels as shown on screen: %s', (guide) => {
    const texts = guide.endsWith('.es.md') ? textsIn('es') : textsIn('en');
    const bold = [...textOf(guide).matchAll(/\*\*([^*]+)\*\*/g)].map(([, words = '']) =>
      words.replaceAll('\n', ' '),
    );
    expect(bold.length).toBeGreaterThan(10);
    expect(bold.filter((words) => !texts.has(words))).toEqual([]);
  });

  test('list every setting in docs/operations.md', () => {
    const operations = textOf('docs/operations.md');
    expect(SETTING_NAMES.filter((name) => !operations.includes(`\`${name}\``))).toEqual([]);
  });

  test('name only existing commands', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const commands = documentedCommands();
    expect(commands.length).toBeGreaterThan(10);
    expect(commands.filter(([name = '']) => scripts[name] === undefined)).toEqual([]);
  });

  test('name only existing stress tests and long test runs', () => {
    const [, table = ''] = textOf('docs/dev/testing.md').split('## Stress tests');
    const names = [...table.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(
      ([, cell = '']) => cell.match(/[\w-]+/g) ?? [],
    );
    expect(names.length).toBeGreaterThan(10);
    const script = textOf('scripts/test.mjs');
    const isLongForm = (name: string) => new RegExp(`\\b${name}: \\[|'${name}'`).test(script);
    expect(names.filter((name) => !existsSync(`test/stress/${name}.test.ts`) && !isLongForm(name))).toEqual(
      [],
    );
    const paths = [...script.matchAll(/'(test\/[\w/.-]+)'/g)].map(([, path = '']) => path);
    expect(paths.filter((path) => globSync(`${path}*`).length === 0)).toEqual([]);
  });
});

function textsIn(language: string): ReadonlySet<string> {
  const files = globSync(`src/**/messages*.${language}.json`);
  return new Set(files.flatMap((file) => Object.values<string>(JSON.parse(readFileSync(file, 'utf8')))));
}
