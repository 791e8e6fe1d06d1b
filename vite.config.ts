import optimizeLocales from '@react-aria/optimize-locales-plugin';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const server = process.env['SERVER_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  // React Aria speaks 30 languages; these are the ones the product's own texts come in.
  plugins: [
    react(),
    tailwindcss(),
    optimizeLocales.vite({ locales: ['en-US', 'es-ES', 'es-US'] }),
    loadLoginEarly(),
    leaveLettersOut(),
  ],
  publicDir: false,
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    // The security policy allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
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
