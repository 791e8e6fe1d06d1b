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

/** So long browsers ask for https only: a year. */
const HTTPS_SECONDS = 31_536_000;

/**
 * The one style that the component library injects (on iOS, while a dialog is open), by the hash of its fixed text;
 * a test computes it anew from the installed package.
 */
export const INJECTED_STYLE_HASH = "'sha256-gYiS/BvZvRcK27JIXTuwhZ3hs2+VJ1X+2gUlE+farlg='";

/** The policy by which a page may name one script for its worker (src/app/web/installed.ts). */
export const WORKER_POLICY = 'worker';

const YEAR_SECONDS = 31_536_000;

/** The workers, one for the page of each language; they keep no more than their page and its files. */
const WORKER_PATHS = LANGUAGES.map((language) =>
  language === LANGUAGES[0] ? '/sw.js' : `/sw.${language}.js`,
);

/** What a page may load: only files of this server; no inline code, and no text run as code. */
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

/** Serves the built pages from a folder, with the headers that they need. There are no routes by path. */
export function serveBrowserPages(deps: Deps, folder: string): FastifyPluginAsync {
  const isHttps = deps.config.publicUrl?.startsWith('https:') === true;
  return async (pages) => {
    await pages.register(helmet, {
      contentSecurityPolicy: POLICY,
      // The Drive popup must be able to talk to the page that opened it.
      crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
      crossOriginResourcePolicy: { policy: 'same-origin' },
      referrerPolicy: { policy: 'no-referrer' },
      // For this name alone: whether the names below it have https is not ours to say.
      strictTransportSecurity: isHttps && { maxAge: HTTPS_SECONDS, includeSubDomains: false },
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
      // The pages of all languages have one address, so none may be confirmed as unchanged in place of another.
      reply.sendFile(pageFor(deps, request, folder), { etag: false, lastModified: false }),
    );
    if (!deps.config.serviceWorker) removeWorkers(pages);
    await pages.register(fastifyStatic, {
      root: folder,
      index: false,
      preCompressed: true,
      dotfiles: 'ignore',
      // Names under /assets contain a hash of their content; everything else must be revalidated.
      setHeaders: (reply, path) => {
        const named = path.startsWith(join(folder, 'assets'));
        reply.header('cache-control', named ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
      },
    });
  };
}

/**
 * Takes back from browsers what they keep: each asks for its worker again when it opens the page, gets this one in its
 * place, and has none afterwards.
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

// The page of the visitor's language; built ones stand beside that of the first language.
function pageFor(deps: Deps, request: FastifyRequest, folder: string): string {
  const own = `index.${requestLocaleOf(request, deps).language}.html`;
  return existsSync(join(folder, own)) ? own : 'index.html';
}
