import { readFileSync } from 'node:fs';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { LANGUAGES, type Language } from './src/base/language.ts';

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
} as const;

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    optimizeLocales.vite({ locales: [...OWN_WORDS[language]] }),
    speakLanguage(),
    leaveLettersOut(),
    leaveOutRepeatedRules(),
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
          groups: [{ name: firstScreens, debugName: 'first screens', includeDependenciesRecursively: false }],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': server, '/healthz': server, '/readyz': server },
  },
});

/** The file of the first screens that a module belongs to; null when it is none of theirs. */
function firstScreens(id: string, graph: ModuleGraph): string | null {
  reached ??= {
    start: reachedFrom(ENTRIES.start, graph),
    login: reachedFrom(ENTRIES.login, graph),
    volunteer: reachedFrom(ENTRIES.volunteer, graph),
  };
  if (Object.values(ENTRIES).some((entry) => id.endsWith(entry))) return null;
  const { start, login, volunteer } = reached;
  if (start.has(id) || (login.has(id) && volunteer.has(id))) return 'first';
  if (login.has(id)) return 'login';
  return volunteer.has(id) ? 'volunteer' : null;
}
type ModuleGraph = Readonly<{
  getModuleInfo: (id: string) => Readonly<{ importedIds: readonly string[]; code: string | null }> | null;
}>;

let reached: Readonly<Record<keyof typeof ENTRIES, ReadonlySet<string>>> | undefined;

/** A module and all that it imports at once. */
function reachedFrom(ending: string, graph: ModuleGraph): ReadonlySet<string> {
  const ids = new Set<string>();
  const add = (id: string) => {
    if (ids.has(id)) return;
    ids.add(id);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) add(imported);
  };
  add(`${import.meta.dirname}${ending}`);
  return ids;
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
