import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Place, startChild } from '#test/child.ts';
import { runCommand } from '#test/command.ts';
import { emptyPlace } from '#test/harness.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const DOCUMENTS = [
  'README.md',
  'STYLE.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
/** For people who see the screens only: words in bold stand on them. */
const GUIDES = ['docs/volunteers.md', 'docs/volunteers.es.md', 'docs/administrators.md'];

/** What other tests or `npm test` itself run, or takes the whole machine: by the command, or by all that it says. */
const RUN_ELSEWHERE: readonly string[] = [
  'audit',
  'bench',
  'check',
  'demo',
  'dev',
  'doctor',
  'second-factor --reset ADDRESS',
  'drill',
  'format',
  'install-service --app DIR --data DIR --environment FILE',
  'photos move disk s3',
  'photos move s3 disk',
  'restore --from /mnt/backups --log /mnt/log',
  'restore --from /mnt/backups --log /mnt/log --at 2026-03-04T18:00:00Z',
  'sbom',
];
const DRILLS_ELSEWHERE: readonly string[] = [
  'cluster',
  'lighthouse',
  'pictures',
  'gallery',
  'list',
  'effort',
  'verifying',
  'spanish',
  'firefox',
  'accessibility',
];

const textOf = (document: string) => readFileSync(join(ROOT, document), 'utf8');

describe('the documents', () => {
  test.each(DOCUMENTS)('%s is whole: no mark of a merge stands in it', (name) => {
    expect(textOf(name)).not.toMatch(/^(<{7}|={7}|>{7})( |$)/m);
  });

  test.each(DOCUMENTS)('%s leads to files that are there', (document) => {
    const links = [...textOf(document).matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => to);
    const gone = links
      .filter((to) => !/^(https?|mailto):/.test(to))
      .filter((to) => !existsSync(join(ROOT, dirname(document), to)));
    expect(gone).toEqual([]);
  });

  test.each(GUIDES)('%s names what stands on the screens, to the letter', (guide) => {
    const texts = guide.endsWith('.es.md') ? textsIn('es') : textsIn('en');
    const bold = boldIn(guide);
    expect(bold.length).toBeGreaterThan(10);
    expect(bold.filter((words) => !texts.has(words))).toEqual([]);
  });

  test('the guide in Spanish says what the English one does: the same parts, which name the same things', () => {
    const [english, spanish] = ['docs/volunteers.md', 'docs/volunteers.es.md'].map((guide) =>
      textOf(guide)
        .split(/^## /m)
        .map((part) => ({ names: boldInText(part).length, paragraphs: part.trim().split(/\n\n/).length })),
    );
    expect(spanish).toEqual(english);
  });

  test('name every document to somebody who begins with README.md', () => {
    const readme = textOf('README.md');
    expect(DOCUMENTS.slice(1).filter((name) => !readme.includes(`(${name})`))).toEqual([
      'docs/permissions.md',
    ]);
  });

  test('name commands that are there', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const [drills, others] = [commands().filter(isDrill), commands().filter((words) => !isDrill(words))];
    expect(others.filter(([name = '']) => scripts[name] === undefined)).toEqual([]);
    const known = readdirSync(join(ROOT, 'test/drills'));
    const isKnown = ([, drill = '']: readonly string[]) =>
      DRILLS_ELSEWHERE.includes(drill) ||
      known.some((file) => file.startsWith(drill) && file.endsWith('.test.ts'));
    expect(drills.length).toBeGreaterThan(3);
    expect(drills.filter((words) => !isKnown(words))).toEqual([]);
  });

  test('name commands for operators that do what they say', async () => {
    // One without arguments names the program only.
    const asked = commands().filter(
      ([name = '', ...args]) =>
        args.length > 0 &&
        !RUN_ELSEWHERE.includes(name) &&
        !RUN_ELSEWHERE.includes([name, ...args].join(' ')),
    );
    expect(asked.map(([name]) => name)).toEqual(
      expect.arrayContaining(['backup', 'restore', 'rollups', 'photos']),
    );
    const place = await emptyPlace();
    const child = await startChild(place);
    await child.end('SIGTERM');
    const backups = (await emptyPlace()).dataDir;
    // Something must be there to restore.
    const inOrder = asked.toSorted((a, b) => Number(b[0] === 'backup') - Number(a[0] === 'backup'));
    for (const [name = '', ...args] of inOrder) {
      const into: Place = name === 'restore' ? await emptyPlace() : place;
      const ended = await runCommand(
        name,
        into,
        args.map((arg) => arg.replace('/mnt/backups', backups)),
      );
      expect([name, ...args, ended.code, ended.stderr]).toEqual([name, ...args, 0, '']);
    }
  }, 60_000);
});

function boldIn(guide: string): string[] {
  return boldInText(textOf(guide));
}

function boldInText(text: string): string[] {
  return [...text.matchAll(/\*\*([^*]+)\*\*/g)].map(([, words = '']) => words.replaceAll('\n', ' '));
}

function textsIn(language: string): ReadonlySet<string> {
  const files = globSync(join(ROOT, `src/**/*text.${language}.json`));
  return new Set(files.flatMap((file) => Object.values<string>(JSON.parse(readFileSync(file, 'utf8')))));
}

const isDrill = ([name]: readonly string[]) => name === 'drill';

/** The commands that the documents name, as words: ['backup', '--to', '/mnt/backups']. Those with brackets or '...' are forms. */
function commands(): string[][] {
  const code = DOCUMENTS.flatMap((document) => {
    const text = textOf(document);
    const blocks = [...text.matchAll(/```sh\n([^`]+)```/g)].flatMap(([, block = '']) => block.split('\n'));
    const spans = [...text.replaceAll(/```[^`]+```/g, '').matchAll(/`([^`]+)`/g)].map(
      ([, span = '']) => span,
    );
    return [...blocks, ...spans];
  });
  const named = code.flatMap((line) => /\bnpm run ([^#]+)/.exec(line.replaceAll(/\s+/g, ' '))?.[1] ?? []);
  const unique = new Set(named.map((command) => command.replace(' -- ', ' ').replace(/ --$/, '').trim()));
  return [...unique]
    .filter((command) => !/[[\]<>]|\.\.\./.test(command))
    .map((command) => command.split(' '));
}
