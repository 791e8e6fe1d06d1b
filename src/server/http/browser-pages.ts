import { existsSync } from 'node:fs';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify';
import { commonMessages } from '#shared/common-messages.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import type { Deps } from '../deps.ts';
import { translate } from '../i18n/translator.ts';
import { requestLocaleOf } from './request-language.ts';

/**
 * The hash of the only style that the component library injects (on iOS, while a dialog is open); a test
 * recomputes it from the installed package.
 */
export const INJECTED_STYLE_HASH = "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='";

/** The policy that lets a page load its worker script (src/app/web/service-worker.ts). */
export const WORKER_POLICY = 'worker';

const YEAR_SECONDS = 31_536_000;

/** The service workers, one per language; each caches only its page and the page's files. */
const WORKER_PATHS = LANGUAGES.map((language) =>
  language === LANGUAGES[0] ? '/sw.js' : `/sw.${language}.js`,
);

/** The content security policy of pages: only files of this server, no inline code, no eval. */
const POLICY = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", INJECTED_STYLE_HASH],
    fontSrc: ["'self'"],
    imgSrc: ["'self'", 'blob:'],
    connectSrc: ["'self'"],
    manifestSrc: ["'self'"],
    workerSrc: ["'self'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
    objectSrc: ["'none'"],
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: [WORKER_POLICY],
  },
};

/** Serves the built pages from a folder with their headers. All screens share the URL `/`. */
export function serveBrowserPages(deps: Deps, folder: string): FastifyPluginAsync {
  const isHttps = deps.config.publicUrl?.startsWith('https:') === true;
  return async (pages) => {
    await pages.register(helmet, {
      contentSecurityPolicy: POLICY,
      // The Drive popup must be able to message the page that opened it.
      crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
      crossOriginResourcePolicy: { policy: 'same-origin' },
      referrerPolicy: { policy: 'no-referrer' },
      // Without includeSubDomains: whether subdomains have https is not ours to say.
      strictTransportSecurity: isHttps && { maxAge: YEAR_SECONDS, includeSubDomains: false },
    });
    if (!existsSync(join(folder, 'index.html'))) {
      pages.get('/', { config: { gate: 'public' } }, (_request, reply) =>
        reply.code(503).type('text/plain').send(translate(deps, commonMessages.unavailable)),
      );
      return;
    }
    pages.addHook('onRoute', (route) => {
      route.config = { ...route.config, gate: 'public' };
    });
    pages.get('/', (request, reply) =>
      // All languages share one URL, so an ETag of one must not confirm another.
      reply.sendFile(pageFor(deps, request, folder), { etag: false, lastModified: false }),
    );
    if (!deps.config.serviceWorker) removeWorkers(pages);
    await pages.register(fastifyStatic, {
      root: folder,
      index: false,
      preCompressed: true,
      dotfiles: 'ignore',
      // File names under /assets contain a content hash; everything else must be revalidated.
      setHeaders: (reply, path) => {
        const named = path.startsWith(join(folder, 'assets'));
        reply.header('cache-control', named ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
      },
    });
  };
}

/**
 * A service worker that removes itself and its cache: browsers check for a new worker when they open the page
 * and get this one.
 */
const REMOVAL = `addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(
  caches.keys().then((names) => Promise.all(names.map((name) => caches.delete(name)))).then(() => registration.unregister()),
));
`;

function removeWorkers(pages: FastifyInstance): void {
  for (const path of WORKER_PATHS) {
    pages.get(path, (_request, reply) =>
      reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(REMOVAL),
    );
  }
}

// The page in the visitor's language: `index.<language>.html`, or `index.html` for the first language.
function pageFor(deps: Deps, request: FastifyRequest, folder: string): string {
  const own = `index.${requestLocaleOf(request, deps).language}.html`;
  return existsSync(join(folder, own)) ? own : 'index.html';
}
