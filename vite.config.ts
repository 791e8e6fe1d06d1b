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

/** Modules that are loaded together anyway: one chunk each, where each module would be one of a few hundred bytes. */
const GROUPS = [
  /** What every form after the sign-in is made of. */
  { name: 'controls', test: /\/src\/web\/ui\/(?:date-field|day-field|number-field|text-area)\.tsx$/ },
  /** What the lists of Log Time and of the Admin Panel are made of. */
  {
    name: 'lists',
    test: /\/src\/(?:web\/ui\/(?:bar|category|category-color|row-button|select)|rooms\/activities\/(?:grouping|web\/find-activities))\.tsx?$/,
  },
  /** What every page with a single card is made of. */
  { name: 'cards', test: /\/src\/app\/web\/views\/card-(?:page|state)\.tsx$/ },
  /** The fields about oneself, of registration and Settings. */
  { name: 'own-fields', test: /\/(?:new-password|new-password-fields|name-fields|password-field)\.tsx?$/ },
  { name: 'schemas', test: /\/node_modules\/zod\/|\/src\/base\/messages\.ts$/ },
];

export default defineConfig({
  plugins: [
    react(),
    tailwindcss(),
    optimizeLocales.vite({ locales: [...OWN_WORDS[language]] }),
    speakLanguage(),
    loadLoginEarly(),
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
          groups: GROUPS.map((group) => ({ ...group, includeDependenciesRecursively: false })),
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
 * The sign-in page is a chunk of its own, which a browser would only hear of when the first one has run. Named in the
 * page, it comes along in the same round trip. Signed-in visitors lose little by it: most of it is used by every screen.
 */
function loadLoginEarly(): Plugin {
  return {
    name: 'load-login-early',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
        const entry = chunks.find((chunk) => chunk.isEntry);
        const login = chunks.find((chunk) => chunk.facadeModuleId?.endsWith('/src/app/web/views/login.tsx'));
        if (entry === undefined || login === undefined) return [];
        const named = new Set([entry.fileName, ...entry.imports]);
        return [login.fileName, ...login.imports]
          .filter((file) => !named.has(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
            injectTo: 'head',
          }));
      },
    },
  };
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
