/// <reference path="./oidc-provider.d.ts" />
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { Provider } from 'oidc-provider';
import { atEnd } from '../after-each-file.ts';

/** The client that the provider knows. */
export const CLIENT = { clientId: 'volunteer-hours', clientSecret: 'secret-of-the-district-9f2c' } as const;

/** The claims about the user who signs in, identified by `sub`. */
export type Person = {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
  given_name?: string;
  family_name?: string;
  name?: string;
  xms_edov?: boolean;
};

/** Faults of the provider. */
export type Faults = {
  /** Paths that return 503, or that reply late. */
  down?: RegExp;
  slow?: { path: RegExp; milliseconds: number };
  /** Changes the claims of id_tokens, which are then signed with the provider's key. */
  claims?: (claims: Record<string, unknown>) => Record<string, unknown>;
  /** Paths with an oversized reply. */
  endless?: RegExp;
};

/** A certified OpenID Connect provider on the loopback interface. */
export type StandIn = Readonly<{
  issuer: string;
  /** The user who signs in next, and whether a page asks for consent (for a browser). */
  now: { person: Person; isAsking: boolean; isDeclining: boolean };
  faults: Faults;
  /** The requested paths so far. */
  asked: string[];
  /** An entry of OIDC_PROVIDERS. */
  settings: (given?: object) => object;
  /** Replaces the signing key. */
  rotateKeys: () => void;
  /** Signs claims with the current key. */
  signed: (claims: object, header?: object) => string;
  /** Follows redirects as a browser that consents; returns the first URL outside the provider. */
  visit: (address: string) => Promise<string>;
}>;

let keyCount = 0;

/** Starts a provider; `redirectUrls` are the registered ones. */
export async function startProvider(redirectUrls: readonly string[], client: object = {}): Promise<StandIn> {
  const now = {
    person: { sub: 'nobody' } as Person,
    isAsking: false,
    isDeclining: false,
  };
  const faults: Faults = {};
  const asked: string[] = [];
  const server = createServer((incoming, answer) => {
    void serve(incoming, answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => server.close());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let key = newKey();
  const make = () =>
    new Provider(issuer, configuration({ redirectUrls, client, key, person: () => now.person }));
  let provider = make();
  let handle = provider.callback();

  async function serve(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const path = (incoming.url ?? '/').split('?')[0] ?? '/';
    asked.push(path);
    if (faults.down?.test(path) === true) return void answer.writeHead(503).end('out of order');
    if (faults.endless?.test(path) === true) return void answer.writeHead(200).end('x'.repeat(3_000_000));
    if (faults.slow?.path.test(path) === true) await setTimeout(faults.slow.milliseconds);
    if (answer.destroyed) return;
    if (path === '/token') rewriteTokens(answer, (claims) => signed(faults.claims?.(claims) ?? claims));
    if (path.startsWith('/interaction/')) return interact(incoming, answer);
    return handle(incoming, answer);
  }

  async function interact(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    if (now.isAsking && incoming.method === 'GET') {
      answer.writeHead(200, { 'content-type': 'text/html' });
      answer.end(
        `<!doctype html><title>District account</title><form method="post"><button>Allow</button></form>`,
      );
      return;
    }
    const result = now.isDeclining
      ? { error: 'access_denied', error_description: 'declined' }
      : { login: { accountId: now.person.sub }, consent: {} };
    await provider.interactionFinished(incoming, answer, result);
  }

  function signed(claims: object, header: object = {}): string {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const text = `${part({ alg: 'RS256', kid: key.kid, ...header })}.${part(claims)}`;
    return `${text}.${sign('RSA-SHA256', Buffer.from(text), key.secret).toString('base64url')}`;
  }

  return {
    issuer,
    now,
    faults,
    asked,
    settings: (given = {}) => ({ name: 'district', title: 'Maple Grove', issuer, ...CLIENT, ...given }),
    rotateKeys: () => {
      key = newKey();
      provider = make();
      handle = provider.callback();
    },
    signed,
    visit: (address) => visit(issuer, address),
  };
}

type Key = Readonly<{ kid: string; secret: KeyObject }>;

function newKey(): Key {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid: `key-${++keyCount}`, secret: privateKey };
}

type Given = Readonly<{
  redirectUrls: readonly string[];
  client: object;
  key: Key;
  person: () => Person;
}>;

function configuration({ redirectUrls, client, key, person }: Given): object {
  return {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: redirectUrls,
        ...client,
      },
    ],
    jwks: { keys: [{ ...key.secret.export({ format: 'jwk' }), kid: key.kid, use: 'sig', alg: 'RS256' }] },
    adapter: MemoryAdapter,
    cookies: { keys: ['one key for tests'] },
    // Without the library's guard, which blocks requests to loopback addresses.
    fetch: (url: string, { dispatcher: _guard, ...options }: RequestInit & { dispatcher?: unknown }) =>
      fetch(url, options),
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified', 'xms_edov'],
      profile: ['given_name', 'family_name', 'name'],
    },
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => ({ ...person(), sub }),
    }),
    features: {
      devInteractions: { enabled: false },
      // The library's own pages would load a font from another host.
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context: { body: string }, form: string) => {
          context.body = `<!doctype html><title>Sign out</title>${form}
            <button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>`;
        },
        postLogoutSuccessSource: (context: { body: string }) => {
          context.body = '<!doctype html><title>Signed out</title>Signed out there';
        },
      },
      backchannelLogout: { enabled: true },
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    // Everyone has consented to everything.
    loadExistingGrant: async (context: GrantContext) => {
      const grant = new context.oidc.provider.Grant({
        clientId: context.oidc.client.clientId,
        accountId: context.oidc.session.accountId,
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
    ttl: { Session: 3600, Grant: 3600, Interaction: 600, IdToken: 600, AccessToken: 600 },
  };
}

// The library's in-memory store logs a warning that it is one.
const storedItems = new Map<string, Record<string, unknown>>();
class MemoryAdapter {
  readonly #kind: string;
  constructor(kind: string) {
    this.#kind = kind;
  }
  async upsert(id: string, payload: Record<string, unknown>): Promise<void> {
    storedItems.set(`${this.#kind} ${id}`, payload);
  }
  async find(id: string): Promise<unknown> {
    return storedItems.get(`${this.#kind} ${id}`);
  }
  async findByUid(uid: string): Promise<unknown> {
    return [...storedItems.values()].find(
      (payload) => payload['uid'] === uid && payload['kind'] === this.#kind,
    );
  }
  async consume(id: string): Promise<void> {
    const payload = storedItems.get(`${this.#kind} ${id}`);
    if (payload !== undefined) payload['consumed'] = Math.floor(Date.now() / 1000);
  }
  async destroy(id: string): Promise<void> {
    storedItems.delete(`${this.#kind} ${id}`);
  }
  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [key, payload] of storedItems) if (payload['grantId'] === grantId) storedItems.delete(key);
  }
}

type GrantContext = {
  oidc: { provider: Provider; client: { clientId: string }; session: { accountId: string } };
};

// Signs the id_token of a reply again, with changed claims.
function rewriteTokens(answer: ServerResponse, sign: (claims: Record<string, unknown>) => string): void {
  const end = answer.end.bind(answer) as (body?: unknown) => ServerResponse;
  answer.end = ((body: unknown) => {
    const tokens = JSON.parse(String(body)) as { id_token?: string };
    if (tokens.id_token === undefined) return end(body);
    const [, claims = ''] = tokens.id_token.split('.');
    const read = JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
    const text = JSON.stringify({ ...tokens, id_token: sign(read) });
    answer.setHeader('content-length', Buffer.byteLength(text));
    return end(text);
  }) as typeof answer.end;
}

async function visit(issuer: string, address: string): Promise<string> {
  const cookies = new Map<string, string>();
  let at = address;
  for (let step = 0; step < 10 && at.startsWith(issuer); step++) {
    const reply = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    });
    for (const cookie of reply.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const next = reply.headers.get('location');
    if (next === null) throw new Error(`${at} answered ${reply.status}: ${await reply.text()}`);
    at = new URL(next, at).href;
  }
  return at;
}
