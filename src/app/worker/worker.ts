import { PrecacheController } from 'workbox-precaching/PrecacheController.js';
import { preferredLanguage } from './preferred-language.ts';

declare const self: ServiceWorkerGlobalScope;

/** Set by the build: the language of the cached page, its file, and all files cached with it. */
declare const CACHED_LANGUAGE: string;
declare const CACHED_PAGE: string;
declare const CACHED_FILES: readonly { url: string; revision: string | null }[];

/** How long to wait for the network before answering a page from the cache. */
const PAGE_WAIT_MS = 4_000;

/**
 * The query parameters that the page itself reads. Any other query may be an emailed link, which the server
 * must answer.
 */
const OWN_QUERY = new Set(['log', 'open']);
/** The prefix of an external verifier's code: the server renders that page, and no cached page can replace it. */
const VERIFIER_PREFIX = 'hours-';

// Caches only public files: never an API reply, a photo or anything that a secret link opens.
const precache = new PrecacheController({ cacheName: 'page' });
precache.addToCacheList([...CACHED_FILES]);

self.addEventListener('install', (event) => void precache.install(event));

// Pages of the previous version may still be open and load their chunks from the cache.
self.addEventListener('activate', (event) => event.waitUntil(cleanUnlessOpen(event)));
// Also take control of a browser's first page, which stays on its version until the user accepts a new one.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', ({ data }) => {
  if (data === 'take over') void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname, searchParams } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    const isOutside = searchParams.get('verify')?.startsWith(VERIFIER_PREFIX) === true;
    if (pathname === '/' && !isOutside) event.respondWith(answerPage(event, searchParams));
  } else if (pathname.startsWith('/assets/')) {
    event.respondWith(answerFile(request));
  }
});

async function answerPage(event: FetchEvent, query: URLSearchParams): Promise<Response> {
  const page = await precache.matchPrecache(CACHED_PAGE).catch(() => undefined);
  if (page === undefined) return fetch(event.request);
  event.waitUntil(cleanUnlessOpen(event));
  const isOwn = [...query.keys()].every((name) => OWN_QUERY.has(name));
  if (isOwn && (await preferredLanguage(CACHED_LANGUAGE)) === CACHED_LANGUAGE) return page;
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(page), PAGE_WAIT_MS));
  return Promise.race([fetch(event.request), late]).catch(() => page);
}

async function answerFile(request: Request): Promise<Response> {
  const found = await caches.match(request).catch(() => undefined);
  return found ?? fetch(request);
}

async function cleanUnlessOpen(event: ExtendableEvent): Promise<void> {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (open.length === 0) await precache.activate(event);
}
