import { readFileSync } from 'node:fs';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { LANGUAGES, type Language } from './src/shared/i18n/languages.ts';

const server = process.env['SERVER_URL'] ?? 'http://127.0.0.1:3000';

/** The language of the pages to build; scripts/build-pages.ts builds each language. */
const language = LANGUAGES.find((one) => one === process.env['PAGE_LANGUAGE']) ?? LANGUAGES[0];
/** The locales of React Aria's own messages to include, of the 30 that it has. */
const LOCALES: Readonly<Record<Language, readonly string[]>> = { en: ['en-US'], es: ['es-ES', 'es-US'] };

export default defineConfig({
  plugins: [react(), tailwindcss(), optimizeLocales.vite({ locales: [...LOCALES[language]] }), translate()],
  publicDir: false,
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    // The security policy forbids data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ name: chunkOf, debugName: 'by screen', includeDependenciesRecursively: false }],
        },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    proxy: { '/api': server, '/healthz': server, '/readyz': server },
  },
});

type ModuleGraph = Readonly<{
  getModuleInfo: (id: string) => Readonly<{ importedIds: readonly string[] }> | null;
}>;

/** The entry modules of the first screens. */
const SCREENS = ['main.tsx', 'login.tsx', 'dashboard/timetracker.tsx', 'admin/admin.tsx'].map(
  (file) => `${import.meta.dirname}/src/app/web/${file}`,
);
let screens: readonly ReadonlySet<string>[] | undefined;

/**
 * The chunk for a module of the first screens; null for others, which Vite splits. By default each of these screens would be
 * 40 to 50 files, and on a phone a request takes as long as 30 KB.
 */
function chunkOf(id: string, graph: ModuleGraph): string | null {
  if (SCREENS.includes(id) || id.endsWith('.css')) return null;
  screens ??= SCREENS.map((screen) => staticImports(screen, graph));
  const [start, login, volunteer, staff] = screens.map((ids) => ids.has(id));
  // Includes form fields, which volunteers need next.
  const isShared = login && (volunteer || id.includes('/src/web/'));
  if (start || isShared) return 'first';
  if (volunteer && staff) return 'signed-in';
  if (login) return 'login';
  if (volunteer) return 'volunteer';
  return staff && /\/admin|staff|messages[\w.-]*\.en\.json$/.test(id) ? 'admin-panel' : null;
}

/** A module and all its static imports. */
function staticImports(entry: string, graph: ModuleGraph): ReadonlySet<string> {
  const ids = new Set<string>();
  const add = (id: string) => {
    if (ids.has(id)) return;
    ids.add(id);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) add(imported);
  };
  add(entry);
  return ids;
}

/** Replaces the first language's messages by those of the page's language. */
function translate(): Plugin {
  return {
    name: 'translate',
    enforce: 'pre',
    load: {
      filter: { id: /messages[\w.-]*\.en\.json$|\/src\/shared\/i18n\/page-language\.ts$/ },
      handler(id) {
        if (language === LANGUAGES[0]) return null;
        if (id.endsWith('.ts')) return `export const PAGE_LANGUAGE = '${language}';`;
        return readFileSync(id.replace(/\.en\.json$/, `.${language}.json`), 'utf8');
      },
    },
    transformIndexHtml(page) {
      const texts = JSON.parse(
        readFileSync(`${import.meta.dirname}/src/web/messages.start.${language}.json`, 'utf8'),
      );
      return page
        .replace('lang="en"', `lang="${language}"`)
        .replace(/\{\{(\w+)\}\}/g, (_, name) => texts[name]);
    },
  };
}
