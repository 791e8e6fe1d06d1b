import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Deps } from '../deps.ts';
import { deleteWarning, storeWarning } from '../system-warning-store.ts';
import { addressOf } from './client-address.ts';

// This many consecutive requests from one address, with at least two different forwarded addresses, mean a proxy rather than a
// client that sets X-Forwarded-For itself.
const IN_A_ROW = 50;
const CLIENTS = 2;

/**
 * Detects a proxy that TRUSTED_PROXIES does not name, behind which all users share one address and its rate limits. It is
 * logged once per process, and stored as a warning until TRUSTED_PROXIES is set.
 */
export function warnAboutUnknownProxy(app: FastifyInstance, deps: Deps): void {
  if (deps.config.trustedProxies.length > 0) {
    app.addHook('onReady', () => deleteWarning(deps.database.db, 'proxy-not-trusted'));
    return;
  }
  let from: string | undefined;
  let inARow = 0;
  let isNoted = false;
  const clients = new Set<string>();
  app.addHook('onRequest', (incoming, _reply, done) => {
    if (isNoted || !incoming.url.startsWith('/api')) return done();
    const client = forwardedIn(incoming);
    const address = addressOf(incoming);
    if (client === undefined || address !== from) {
      from = client === undefined ? undefined : address;
      inARow = 0;
      clients.clear();
    }
    if (client === undefined) return done();
    inARow++;
    if (clients.size < CLIENTS) clients.add(client);
    if (inARow < IN_A_ROW || clients.size < CLIENTS) return done();
    isNoted = true;
    storeProxyWarning(deps, address).then(() => done(), done);
  });
}

async function storeProxyWarning(deps: Deps, address: string): Promise<void> {
  deps.log.warn(
    `Every request comes from ${address} with a forwarded address: name that proxy in TRUSTED_PROXIES, or everyone shares the limits on guessing`,
  );
  // The request continues even if this write fails.
  await storeWarning(deps.database.db, {
    name: 'proxy-not-trusted',
    detail: address,
    notedAt: deps.clock.now(),
  }).catch((error: unknown) => deps.log.warn({ err: error }, 'could not save the warning'));
}

function forwardedIn(incoming: FastifyRequest): string | undefined {
  const { 'x-forwarded-for': list, 'x-real-ip': real, forwarded } = incoming.headers;
  const value = list ?? real ?? forwarded;
  return Array.isArray(value) ? value.join() : value;
}
