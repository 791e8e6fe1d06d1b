import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { consented, consentPage, endConsent, type Registered, revoke, tokens } from './consent.ts';
import { about, accountIn, create, generateIds, get, list, remove, update } from './drive.ts';
import { type Fault, type Faults, noFaults, type Step } from './failures.ts';
import { deletePermanently, emptyState, FOLDER, isTrashed, type KeptFile, type State } from './fake-state.ts';
import { type Answer, type Asked, escaped, GoogleError, page, send } from './replies.ts';
import { continueUpload, receive, sessionIn, startUpload, uploadWhole } from './uploads.ts';

/** The registered OAuth client. */
export const CLIENT = { clientId: 'district.apps.example', clientSecret: 'secret-of-the-district' } as const;

/** A fake of Google's sign-in and Drive on the loopback interface. */
export type Google = Readonly<{
  origin: string;
  /** The settings with which the product uses the fake. */
  settings: Readonly<Record<string, string>>;
  state: State;
  faults: Faults;
  /** Every request so far, oldest first. */
  requests: readonly Request[];
  /** The highest number of concurrent uploads. */
  mostUploads: () => number;
  /** Answers the consent page at a URL; returns the URL that the browser is redirected to. */
  consent: (authUrl: string, answer?: 'allow' | 'deny') => Promise<string>;
  /** The folders in Drive outside the trash, each with its photos' ids. */
  tree: () => { folder: string; files: string[] }[];
  /** Makes a file in Drive by hand, which the app cannot see. */
  makeByHand: (name: string, mimeType?: string) => string;
  /** Deletes a file or folder in Drive permanently, by hand. */
  removeByHand: (id: string) => void;
  /** Revokes the app's access, as the account's owner. */
  revokeAll: () => void;
  close: () => Promise<void>;
}>;

type Request = Readonly<{ step: Step | undefined; path: string; agent: string; status: number }>;

type FakeServer = {
  registered: Registered;
  state: State;
  faults: Faults;
  requests: Request[];
  uploads: { now: number; most: number };
  isKept: boolean;
  slownessMs: number;
  origin: string;
};

/**
 * Starts the fake, which rejects everything that Google would reject. `isKept` stores the content of uploads in order to show
 * it; `slownessMs` is the duration of each request.
 */
export async function startGoogle(
  options: {
    redirectUrl?: string;
    account?: string;
    port?: number;
    isKept?: boolean;
    slownessMs?: number;
  } = {},
): Promise<Google> {
  const fake: FakeServer = {
    registered: {
      ...CLIENT,
      isRedirectUrl: (address) =>
        options.redirectUrl === undefined
          ? /^http:\/\/(localhost|127\.0\.0\.1):\d+\/api\/google-drive\/callback$/.test(address)
          : address === options.redirectUrl,
    },
    state: emptyState(options.account ?? 'photos@maplegrove.example'),
    faults: noFaults(),
    requests: [],
    uploads: { now: 0, most: 0 },
    isKept: options.isKept === true,
    slownessMs: options.slownessMs ?? 0,
    origin: '',
  };
  const server = createServer((request, response) => {
    serve(fake, request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  fake.origin = `http://127.0.0.1:${port}`;
  return controlsOf(fake, () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  });
}

function controlsOf(fake: FakeServer, close: () => Promise<void>): Google {
  const { state, faults, origin, registered } = fake;
  return {
    origin,
    state,
    faults,
    requests: fake.requests,
    settings: {
      GOOGLE_CLIENT_ID: registered.clientId,
      GOOGLE_CLIENT_SECRET: registered.clientSecret,
      GOOGLE_AUTH_URL: `${origin}/o/oauth2/v2/auth`,
      GOOGLE_TOKEN_URL: `${origin}/token`,
      GOOGLE_API_URL: origin,
    },
    mostUploads: () => fake.uploads.most,
    consent: async (authUrl, answer = 'allow') => {
      const asked = new URL(authUrl);
      const url = new URL(`${origin}/consent${asked.search}`);
      url.searchParams.set('answer', answer);
      const { headers } = consented(registered, state, {
        method: 'GET',
        url,
        headers: {},
        body: Buffer.alloc(0),
      });
      return headers?.['location'] ?? '';
    },
    tree: () => treeOf(state),
    makeByHand: (name, mimeType = FOLDER) => {
      const id = `1${crypto.randomUUID().replaceAll('-', '')}`;
      const file = { id, account: state.account, name, mimeType, parents: ['root'], trashed: false };
      state.files.set(id, {
        ...file,
        appProperties: {},
        size: 0,
        sha256: '',
        content: undefined,
        isOfApp: false,
      });
      return id;
    },
    removeByHand: (id) => deletePermanently(state, id),
    revokeAll: () => endConsent(state, state.account),
    close,
  };
}

async function serve(fake: FakeServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = await read(fake, request);
  const step = stepOf(asked);
  const fault = step === undefined ? undefined : fake.faults.take(step);
  const isUpload = step === 'uploadWhole' || step === 'startUpload' || step === 'sendChunk';
  if (isUpload) fake.uploads.most = Math.max(fake.uploads.most, ++fake.uploads.now);
  if (fake.slownessMs > 0) await new Promise((resolve) => setTimeout(resolve, fake.slownessMs));
  const answer = fault === undefined ? answerTo(fake, asked) : answerWithFault(fake, asked, fault);
  if (isUpload) fake.uploads.now -= 1;
  fake.requests.push({
    step,
    path: asked.url.pathname,
    agent: asked.headers['user-agent'] ?? '',
    status: answer?.status ?? 0,
  });
  if (answer === undefined) request.socket.destroy();
  else send(response, answer);
}

async function read(fake: FakeServer, request: IncomingMessage): Promise<Asked> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return {
    method: request.method ?? 'GET',
    url: new URL(request.url ?? '/', fake.origin),
    headers: request.headers,
    body: Buffer.concat(chunks),
  };
}

function answerWithFault(fake: FakeServer, asked: Asked, fault: Fault): Answer | undefined {
  const { state } = fake;
  if (fault.isFolderDeleted) for (const { id } of foldersOf(state)) deletePermanently(state, id);
  if (fault.isFolderTrashed) for (const folder of foldersOf(state)) folder.trashed = true;
  if (fault.isSessionGone) state.sessions.clear();
  if (fault.isRevoked) endConsent(state, state.account);
  if (fault.isHalf) receiveHalf(fake, asked);
  if (fault.isDone) answerTo(fake, asked);
  if (fault.isCut) return undefined;
  if (fault.status === undefined) return answerTo(fake, asked);
  return new GoogleError(fault.status, fault.reason ?? '').answer;
}

// Google stores only complete pieces of 256 KiB of what arrived.
function receiveHalf({ state }: FakeServer, asked: Asked): void {
  const session = state.sessions.get(asked.url.searchParams.get('upload_id') ?? '');
  const half = Math.floor(asked.body.length / 2 / 262_144) * 262_144;
  if (session !== undefined && half > 0) receive(session, asked.body.subarray(0, half));
}

function answerTo(fake: FakeServer, asked: Asked): Answer {
  try {
    return route(fake, asked);
  } catch (error) {
    if (error instanceof GoogleError) return error.answer;
    throw error;
  }
}

function route(fake: FakeServer, asked: Asked): Answer {
  const { registered, state, origin } = fake;
  const { pathname } = asked.url;
  const call = `${asked.method} ${pathname}`;
  if (call === 'GET /o/oauth2/v2/auth') return consentPage(registered, state, asked);
  if (call === 'GET /consent') return consented(registered, state, asked);
  if (call === 'POST /token') return tokens(registered, state, asked);
  if (call === 'POST /revoke') return revoke(state, asked);
  if (call.startsWith('GET /view/')) return view(state, pathname.slice('/view/'.length));
  const account = accountIn(state, asked);
  if (call === 'GET /drive/v3/about') return about(account, asked);
  if (call === 'GET /drive/v3/files/generateIds') return generateIds(state, asked);
  if (call === 'GET /drive/v3/files') return list(state, account, asked, origin);
  if (call === 'POST /drive/v3/files') return create(state, account, asked, origin);
  if (pathname === '/upload/drive/v3/files') return upload(fake, account, asked);
  const [, id] = /^\/drive\/v3\/files\/([\w-]{10,100})$/.exec(pathname) ?? [];
  if (id !== undefined && asked.method === 'GET') return get(state, account, asked, id, origin);
  if (id !== undefined && asked.method === 'DELETE') return remove(state, account, asked, id);
  if (id !== undefined && asked.method === 'PATCH') return update(state, account, asked, id, origin);
  throw new GoogleError(404, 'notFound', `no such call: ${call}`);
}

function upload(fake: FakeServer, account: string, asked: Asked): Answer {
  const { state, origin } = fake;
  const how = `${asked.method} ${asked.url.searchParams.get('uploadType')}`;
  if (how === 'POST multipart') return uploadWhole(state, account, asked, fake);
  if (how === 'POST resumable') return startUpload(state, account, asked, origin);
  if (how === 'PUT resumable') return continueUpload(state, sessionIn(state, account, asked), asked, fake);
  throw new GoogleError(400, 'badRequest', how);
}

function stepOf({ method, url, headers }: Asked): Step | undefined {
  const call = `${method} ${url.pathname}`;
  if (url.pathname === '/upload/drive/v3/files') {
    if (method === 'PUT') return headers['content-range']?.startsWith('bytes *') ? 'askUpload' : 'sendChunk';
    return url.searchParams.get('uploadType') === 'multipart' ? 'uploadWhole' : 'startUpload';
  }
  if (/^GET \/drive\/v3\/files\/[\w-]{20,}$/.test(call)) return 'get';
  if (/^(DELETE|PATCH) \/drive\/v3\/files\//.test(call)) return 'remove';
  return CALLS[call];
}

const CALLS: Readonly<Record<string, Step>> = {
  'POST /token': 'token',
  'GET /drive/v3/about': 'about',
  'GET /drive/v3/files/generateIds': 'generateIds',
  'GET /drive/v3/files': 'list',
  'POST /drive/v3/files': 'createFolder',
};

function foldersOf(state: State): KeptFile[] {
  return [...state.files.values()].filter(({ mimeType, isOfApp }) => mimeType === FOLDER && isOfApp);
}

function treeOf(state: State): { folder: string; files: string[] }[] {
  const folders = foldersOf(state).filter((folder) => !isTrashed(state, folder));
  return folders
    .map(({ id, name }) => ({
      folder: name,
      files: [...state.files.values()]
        .filter((file) => file.mimeType !== FOLDER && file.parents.includes(id) && !isTrashed(state, file))
        .map((file) => file.appProperties['photo'] ?? '')
        .toSorted((one, other) => Number(one) - Number(other)),
    }))
    .filter(({ files }) => files.length > 0);
}

// Shows a person the content of a folder or file.
function view(state: State, id: string): Answer {
  const file = state.files.get(id);
  if (file === undefined) return page('Not here', '<p>There is nothing at this address.</p>', 404);
  if (file.mimeType !== FOLDER) {
    return { status: 200, headers: { 'content-type': file.mimeType }, body: file.content ?? Buffer.alloc(0) };
  }
  const within = [...state.files.values()].filter((one) => one.parents.includes(id) && !one.trashed);
  const items = within.map(
    (one) =>
      `<p><a href="/view/${one.id}">${escaped(one.name)}</a>${
        one.mimeType === FOLDER ? '' : `<br><img src="/view/${one.id}" alt="${escaped(one.name)}">`
      }</p>`,
  );
  return page(file.name, `<p>Stand-in for Google Drive: ${within.length} in here.</p>${items.join('')}`);
}
