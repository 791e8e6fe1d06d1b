import { readFileSync } from 'node:fs';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { dayPatterns } from './src/base/calendar-date.ts';
import { LANGUAGES, type Language, LOCALES } from './src/base/language.ts';
import { decimalSign } from './src/base/numbers.ts';

const server = process.env['SERVER_URL'] ?? 'http://127.0.0.1:3000';

/** The language of the pages that are built; scripts/build-pages.ts builds them for each. */
const language = LANGUAGES.find((one) => one === process.env['PAGE_LANGUAGE']) ?? LANGUAGES[0];
/** What React Aria says by itself in each language. It speaks 30; the others are left out. */
const OWN_WORDS: Readonly<Record<Language, readonly string[]>> = { en: ['en-US'], es: ['es-ES', 'es-US'] };

/**
 * What is loaded together is one file: on a phone a request costs as long as 30 KB. What the start needs, and what both
 * first screens need, is the first; the rest of each of them is one more.
 */
const ENTRIES = {
  start: '/src/app/web/main.tsx',
  login: '/src/app/web/views/login.tsx',
  volunteer: '/src/app/web/views/timetracker.tsx',
  panel: '/src/app/web/views/admin.tsx',
  overlay: '/src/web/ui/page-overlay.tsx',
} as const;

/** What volunteers open next: fetched together once their first screen stands. */
const NEXT = [
  'offline-part.tsx',
  'log-panel-part.tsx',
  'recent-activity-part.tsx',
  'thanks-part.tsx',
  'suggestions-part.tsx',
  'settings-dialog.tsx',
  'shortcuts-dialog.tsx',
].map((part) => `/src/app/web/views/${part}`);

/** What the sign-in loads once it stands. */
const SIGN_IN_NEXT = ['/src/app/web/views/sign-in-more-part.tsx'];
/** What every dialog stands in. */
const SURFACES = ['/src/web/ui/dialog-surface.tsx', '/src/web/ui/admin/side-panel-surface.tsx'];
/** The tab that administrators open most, and the desk that letters lead to. */
const PANEL_FIRST = ['admin-time-entries-part.tsx', 'admin-verifier-part.tsx'].map(
  (part) => `/src/app/web/views/${part}`,
);

/** Modules that the start reaches through their library's index, and that no screen before the volunteer's uses. */
const PAGES_OF_LISTS = /\/query-core\/.*\/infiniteQueryObserver\.js$|\/useInfiniteQuery\.js$/;

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    optimizeLocales.vite({ locales: [...OWN_WORDS[language]] }),
    speakLanguage(),
    prepareFormats(),
    leaveLettersOut(),
    leaveSchemasOut(),
    buildSchemasLate(),
    startWithoutPlaces(),
    leaveOutRepeatedRules(),
    compileAhead(),
  ],
  publicDir: false,
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    // The security policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: fileOf, debugName: 'by screen', includeDependenciesRecursively: false }],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': server, '/healthz': server, '/readyz': server },
  },
});

/**
 * The file that a module belongs to together with others; null when it stands in the one of the part that loads it, or
 * is shared by few. Without it each set of parts would get a file for what just they share: dozens of a few hundred bytes.
 */
function fileOf(id: string, graph: ModuleGraph): string | null {
  reached ??= {
    start: reachedFrom(ENTRIES.start, graph),
    login: reachedFrom(ENTRIES.login, graph),
    volunteer: reachedFrom(ENTRIES.volunteer, graph),
    panel: reachedFrom(ENTRIES.panel, graph),
    overlay: reachedFrom(ENTRIES.overlay, graph),
  };
  const { start, login, volunteer, panel, overlay } = reached;
  const isNamed = Object.entries(ENTRIES).some(([name, entry]) => name !== 'overlay' && id.endsWith(entry));
  if (isNamed || id.includes('.css')) return null;
  if (PAGES_OF_LISTS.test(id)) return 'volunteer';
  if (start.has(id) || (login.has(id) && volunteer.has(id))) return 'first';
  if (login.has(id)) return 'login';
  if (volunteer.has(id)) return 'volunteer';
  loaders ??= loadersOf(graph);
  const parts = [...(loaders.get(id) ?? [])];
  const isOfPanelOnly = parts.every(isOfPanel);
  if (panel.has(id) && isOfPanelOnly) return 'admin-first';
  if (parts.includes(id) || parts.length < 2) return null;
  const isOf = (wanted: readonly string[]) =>
    parts.some((part) => wanted.some((ending) => part.endsWith(ending)));
  if (isOf(NEXT) && isOf(SIGN_IN_NEXT)) return 'first';
  if (overlay.has(id) || isOf(SURFACES)) return 'overlay';
  if (panel.has(id)) return 'lists';
  if (isOfPanelOnly) return isOf(PANEL_FIRST) ? 'admin-hours' : 'admin-next';
  return isOf(NEXT) || isOf(PANEL_FIRST) || id.includes('/src/web/ui/') ? 'next' : null;
}

const isOfPanel = (part: string) => /\/(?:admin|side-panel)[^/]*$/.test(part);

type ModuleGraph = Readonly<{
  getModuleInfo: (id: string) => Readonly<{
    importedIds: readonly string[];
    dynamicallyImportedIds: readonly string[];
    code: string | null;
  }> | null;
}>;

let reached: Readonly<Record<keyof typeof ENTRIES, ReadonlySet<string>>> | undefined;
let loaders: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** A module and all that it imports at once. */
function reachedFrom(ending: string, graph: ModuleGraph): ReadonlySet<string> {
  return importedBy(`${import.meta.dirname}${ending}`, graph);
}

function importedBy(entry: string, graph: ModuleGraph): ReadonlySet<string> {
  const ids = new Set<string>();
  const add = (id: string) => {
    if (ids.has(id)) return;
    ids.add(id);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) add(imported);
  };
  add(entry);
  return ids;
}

/** By module the parts, loaded on demand, that need it at once. */
function loadersOf(graph: ModuleGraph): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const parts = new Set<string>();
  const look = (part: string, isDemanded: boolean) => {
    if (parts.has(part)) return;
    parts.add(part);
    for (const id of importedBy(part, graph)) {
      if (isDemanded) found.set(id, (found.get(id) ?? new Set()).add(part));
      for (const later of graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []) look(later, true);
    }
  };
  look(`${import.meta.dirname}${ENTRIES.start}`, false);
  return found;
}

/** In pages of another language than the first one its texts stand where those of the first one are imported. */
function speakLanguage(): Plugin {
  return {
    name: 'speak-language',
    enforce: 'pre',
    load: {
      filter: { id: /text\.en\.json$|\/src\/text\/page-language\.ts$/ },
      handler(id) {
        if (language === LANGUAGES[0]) return null;
        if (id.endsWith('.ts')) return `export const PAGE_LANGUAGE = '${language}';`;
        return readFileSync(id.replace(/\.en\.json$/, `.${language}.json`), 'utf8');
      },
    },
    transformIndexHtml: (page) => page.replace('<html lang="en">', `<html lang="${language}">`),
  };
}

/** The page's days and numbers are written without asking Intl (src/base/prepared-formats.ts). */
function prepareFormats(): Plugin {
  const prepared = { ...dayPatterns(LOCALES[language]), ...decimalSign(LOCALES[language]) };
  return {
    name: 'prepare-formats',
    enforce: 'pre',
    load: {
      filter: { id: /\/src\/base\/prepared-formats\.ts$/ },
      handler: () => `export const PREPARED = ${JSON.stringify(prepared)};`,
    },
  };
}

/** What letters say is written by the server alone: texts whose key begins with 'mail' are not sent to browsers. */
function leaveLettersOut(): Plugin {
  return {
    name: 'leave-letters-out',
    enforce: 'pre',
    transform: {
      filter: { id: /\/text\.en\.json$/ },
      handler(code) {
        const texts = Object.entries(JSON.parse(code)).filter(([key]) => !/^mail[A-Z]/.test(key));
        return { code: JSON.stringify(Object.fromEntries(texts)), map: null };
      },
    },
  };
}

/** What only the server checks of a call: the browser trusts replies, and writes addresses itself. */
const CHECKED_BY_SERVER: ReadonlySet<string> = new Set(['params', 'query', 'reply']);

type Node = { type: string; start: number; end: number } & Record<string, unknown>;

/** Blanks these schemas in `endpoint(method, path, { ... })`; what only they use then falls away, and is never built. */
function leaveSchemasOut(): Plugin {
  return {
    name: 'leave-schemas-out',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/rooms\/.*\.ts$/, code: /\bendpoint\(/ },
      handler(code) {
        let left = code;
        for (const { start, end } of serverSchemas(this.parse(code, { lang: 'ts' }) as unknown as Node)) {
          const comma = /^\s*,/.exec(code.slice(end))?.[0].length ?? 0;
          // As long as before, so that every line keeps its place.
          const blank = code.slice(start, end + comma).replace(/[^\n]/g, ' ');
          left = left.slice(0, start) + blank + left.slice(end + comma);
        }
        return { code: left, map: null };
      },
    },
  };
}

function serverSchemas(program: Node): Node[] {
  const found: Node[] = [];
  const walk = (value: unknown) => {
    if (Array.isArray(value)) return value.forEach(walk);
    if (typeof value !== 'object' || value === null || !('type' in value)) return;
    const node = value as Node;
    const { callee, arguments: given } = node as { callee?: { name?: string }; arguments?: Node[] };
    if (node.type === 'CallExpression' && callee?.name === 'endpoint') {
      const parts = (given?.[2]?.['properties'] ?? []) as (Node & { key?: { name?: string } })[];
      found.push(...parts.filter(({ key }) => CHECKED_BY_SERVER.has(key?.name ?? '')));
    }
    Object.values(node).forEach(walk);
  };
  walk(program);
  return found;
}

const LATE = 'virtual:late';

/**
 * Has each schema of a contract built when a form first asks something of it: to build all of them took a slow phone a tenth of
 * a second before it drew anything.
 */
function buildSchemasLate(): Plugin {
  return {
    name: 'build-schemas-late',
    enforce: 'pre',
    resolveId: { filter: { id: /^virtual:late$/ }, handler: () => `\0${LATE}` },
    load: {
      filter: { id: /virtual:late$/ },
      // What is asked of it is asked of the schema. A schema is known by its properties, never by its class.
      handler: () => `export function late(make) {
        let made;
        return new Proxy({}, { get: (_, name) => (made ??= make())[name], has: (_, name) => name in (made ??= make()) });
      }`,
    },
    transform: {
      filter: { id: /\/src\/(?:base|rooms)\/.*\.ts$/, code: /^(?:export )?const \w+ = z\s*\./m },
      handler(code) {
        const { body } = this.parse(code, { lang: 'ts' }) as unknown as { body: readonly Node[] };
        let late = code;
        for (const { start, end } of body.flatMap(schemasIn).toReversed()) {
          late = `${late.slice(0, start)}/*#__PURE__*/ late(() => ${late.slice(start, end)})${late.slice(end)}`;
        }
        return { code: `import { late } from '${LATE}';${late}`, map: null };
      },
    },
  };
}

/** Where a statement at the top of a file calls `z`, in the order of the text. */
function schemasIn(statement: Node): Node[] {
  const { declaration = statement } = statement as { declaration?: Node | null };
  if (declaration?.type !== 'VariableDeclaration') return [];
  return (declaration['declarations'] as { init?: Node }[]).flatMap(({ init }) =>
    init?.type === 'CallExpression' && isOfZ(init) ? [init] : [],
  );
}

// `z.array(…)`, and `z.array(…).check(…)`.
function isOfZ(called: Node): boolean {
  const { callee } = called as { callee?: { object?: Node & { name?: string } } };
  const object = callee?.object;
  return object?.name === 'z' || (object?.type === 'CallExpression' && isOfZ(object));
}

/**
 * The administrators' style sheet comes after everybody's, and Tailwind writes each sheet's theme variables, animations
 * and registered properties into it: those that stand in the first sheet to the letter are left out of the second.
 * Classes are not touched, because their order counts.
 */
function leaveOutRepeatedRules(): Plugin {
  return {
    name: 'leave-out-repeated-rules',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const sheets = Object.values(bundle).flatMap((output) =>
          output.type === 'asset' && output.fileName.endsWith('.css') ? [output] : [],
        );
        const entry = Object.values(bundle).find((output) => output.type === 'chunk' && output.isEntry);
        const named = entry?.type === 'chunk' ? entry.viteMetadata?.importedCss : undefined;
        const first = sheets.find(({ fileName }) => named?.has(fileName));
        if (first === undefined) throw new Error('The page names no style sheet.');
        for (const sheet of sheets) {
          if (sheet !== first) sheet.source = withoutRepeated(String(sheet.source), String(first.source));
        }
      },
    },
  };
}

const HEAD_END = '@layer base';
const VARIABLE = /--[\w-]+:[^;{}]+/g;

function withoutRepeated(sheet: string, first: string): string {
  const unlessIn = (known: ReadonlySet<string>) => (rule: string) => (known.has(rule) ? '' : rule);
  const properties = /@property [^{]+\{[^}]*\}/g;
  const animations = /@keyframes [^{]+\{(?:[^{}]*\{[^}]*\})*\}/g;
  const head = sheet.slice(0, sheet.indexOf(HEAD_END));
  const variables = first.slice(0, first.indexOf(HEAD_END)).match(VARIABLE);
  return (
    head.replace(VARIABLE, unlessIn(new Set(variables))).replace(/(?<=\{);+|;+(?=[;}])/g, '') +
    sheet
      .slice(head.length)
      .replace(properties, unlessIn(new Set(first.match(properties))))
      .replace(animations, unlessIn(new Set(first.match(animations))))
  );
}

/**
 * React makes five Errors when it starts, which it only compares with later. Wherever an inspector listens, as in DevTools
 * and in every measurement, the place of the first is looked up at once, and for that all of React is read again: a tenth of
 * a second on a slow phone. Here they are made without a place.
 */
function startWithoutPlaces(): Plugin {
  const made = /(?<=^(?:var)? +\w+Exception = )Error\((formatProdErrorMessage\(\d+\))\)/gm;
  return {
    name: 'start-without-places',
    transform: {
      filter: { id: /react-dom-client\.production\.js$/ },
      handler: (code) => ({
        code: code.replace(made, 'Object.create(Error.prototype)'),
        map: null,
      }),
    },
  };
}

/** The files of the first screens. */
const AT_THE_START: ReadonlySet<string> = new Set([
  ...['index', 'first', 'login', 'timetracker', 'volunteer'],
  ...['admin', 'admin-first', 'admin-hours', 'lists'],
]);

/**
 * Chromium then compiles a file's functions while it comes in, on another thread. Without it each is read a second time by
 * the page's own thread, when it is first called: a quarter of what a phone needed for its second visit.
 */
const COMPILED_AHEAD = '//# allFunctionsCalledOnLoad\n';

function compileAhead(): Plugin {
  return {
    name: 'compile-ahead',
    augmentChunkHash: ({ name }) => (AT_THE_START.has(name) ? COMPILED_AHEAD : ''),
    generateBundle: {
      // It must be the first line, and Vite puts others first until then.
      order: 'post',
      handler(_options, bundle) {
        for (const output of Object.values(bundle)) {
          if (output.type === 'chunk' && AT_THE_START.has(output.name))
            output.code = COMPILED_AHEAD + output.code;
        }
      },
    },
  };
}
