import { PrecacheController } from 'workbox-precaching/PrecacheController.js';
import { preferredLanguage } from './preferred-language.ts';

declare const self: ServiceWorkerGlobalScope;

/** Put in by the build: the language of the page that is kept, its file, and all files it is kept with. */
declare const KEPT_LANGUAGE: string;
declare const KEPT_PAGE: string;
declare const KEPT_FILES: readonly { url: string; revision: string | null }[];

/** Longer is not waited for a page that could be answered from the cache. */
const PAGE_WAIT_MS = 4_000;

/** What the page itself reads from its address. Any other query may be a mailed link, which the server answers. */
const OWN_QUERY = new Set(['log', 'open']);
/** Begins the code of a link for somebody without an account: the server writes that page, and none can stand in for it. */
const OUTSIDE_MARK = 'hours-';

// Only files that everybody gets: never an answer of the API, a photo or anything that a link with a secret opens.
const kept = new PrecacheController({ cacheName: 'page' });
kept.addToCacheList([...KEPT_FILES]);

self.addEventListener('install', (event) => void kept.install(event));

// Pages of the version before may still be open, and load their parts from the cache.
self.addEventListener('activate', (event) => event.waitUntil(cleanUnlessOpen(event)));
// The first page of a browser, too, stays as it is until its person takes a new version.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('message', ({ data }) => {
  if (data === 'take over') void self.skipWaiting();
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname, searchParams } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    const isOutside = searchParams.get('verify')?.startsWith(OUTSIDE_MARK) === true;
    if (pathname === '/' && !isOutside) event.respondWith(answerPage(event, searchParams));
  } else if (pathname.startsWith('/assets/')) {
    event.respondWith(answerFile(request));
  }
});

async function answerPage(event: FetchEvent, query: URLSearchParams): Promise<Response> {
  const page = await kept.matchPrecache(KEPT_PAGE).catch(() => undefined);
  if (page === undefined) return fetch(event.request);
  event.waitUntil(cleanUnlessOpen(event));
  const isOwn = [...query.keys()].every((name) => OWN_QUERY.has(name));
  if (isOwn && (await preferredLanguage(KEPT_LANGUAGE)) === KEPT_LANGUAGE) return page;
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(page), PAGE_WAIT_MS));
  return Promise.race([fetch(event.request), late]).catch(() => page);
}

async function answerFile(request: Request): Promise<Response> {
  const found = await caches.match(request).catch(() => undefined);
  return found ?? fetch(request);
}

async function cleanUnlessOpen(event: ExtendableEvent): Promise<void> {
  const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  if (open.length === 0) await kept.activate(event);
}
