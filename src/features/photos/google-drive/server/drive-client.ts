import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { GoogleSettings } from '#server/config.ts';
import { DriveFailure, failureIn } from './google-errors.ts';
import { outboundTo } from './outbound-requests.ts';
import { type RequestOptions, requestWithRetry } from './retry.ts';

/** The type of a folder in Drive. */
export const FOLDER_TYPE = 'application/vnd.google-apps.folder';

/** Files up to this many bytes go in one request (Google's limit). */
export const WHOLE_BYTES = 5 * 1024 * 1024;

/** Larger files go in pieces of this many bytes: a multiple of 256 KiB, as Google requires. */
export const PIECE_BYTES = 4 * 262_144;

/** The form of an id in Drive. Nothing else ever becomes part of an address. */
export const DRIVE_ID = /^[A-Za-z0-9_-]{10,100}$/;

const IDS_AT_ONCE = 100;
const PAGE = 1000;
const FIELDS = 'id,name,mimeType,trashed,appProperties,webViewLink,driveId,capabilities(canAddChildren)';

const DriveFile = z.object({
  id: z.string().regex(DRIVE_ID),
  name: z.string(),
  mimeType: z.string(),
  trashed: z.boolean(),
  appProperties: z.record(z.string(), z.string()).default({}),
  webViewLink: z.string().optional(),
  driveId: z.string().regex(DRIVE_ID).optional(),
  capabilities: z.object({ canAddChildren: z.boolean().optional() }).default({}),
});

/**
 * A file or a folder in Drive. `driveId` is set when it is in a shared drive; `appProperties` are visible only to this
 * product.
 */
export type DriveFile = z.infer<typeof DriveFile>;

/**
 * The metadata of a new file. `id` is one of `newIds`: creating it again with the same id does not make a second
 * file.
 */
export type NewFile = Readonly<{
  id: string;
  name: string;
  parent: string | undefined;
  properties: Readonly<Record<string, string>>;
}>;

/** The progress of an upload in pieces: how many bytes were received, or that it is complete. */
export type Progress = Readonly<{ isDone: boolean; received: number }>;

/** Search conditions; all must hold. Files in the trash are never found. */
export type DriveSearch = Readonly<{
  parent?: string;
  isFolder?: true;
  properties?: Readonly<Record<string, string>>;
  /** The shared drive to look in, when it is in one. */
  driveId?: string | undefined;
}>;

/** The Drive API calls of this product. Each one waits and retries as Google asks. */
export type Drive = Readonly<{
  /** Ids for new files. */
  newIds: () => Promise<string[]>;
  /** A file by its id, trashed or not; undefined when it does not exist or this product may not see it. */
  find: (id: string) => Promise<DriveFile | undefined>;
  search: (search: DriveSearch) => AsyncIterable<DriveFile>;
  makeFolder: (folder: NewFile) => Promise<DriveFile>;
  /** Stores a photo of at most `WHOLE_BYTES`. Throws `taken` when a file with its id exists. */
  storeWhole: (file: NewFile, content: Buffer) => Promise<void>;
  /** Begins an upload in pieces; returns the address to send them to, valid for a week. */
  startUpload: (file: NewFile, bytes: number) => Promise<string>;
  /** Sends a piece. Never retried automatically: first ask how much was received. */
  sendPiece: (
    session: string,
    pieceRequest: { from: number; content: Buffer; total: number },
  ) => Promise<Progress>;
  /** How much was received; `gone` when the upload must start over. */
  getUploadProgress: (session: string, total: number) => Promise<Progress>;
  /**
   * Deletes a file, or moves it to the trash if this account may not delete it. Succeeds when the file is already
   * gone.
   */
  remove: (id: string) => Promise<void>;
}>;

const PICTURE_TYPE = 'image/jpeg';
const RESUME_INCOMPLETE = 308;

// Long because its calls share one account and one way to send requests.
/** A Drive client for an account's tokens. */
export function openDrive(google: GoogleSettings, options: RequestOptions): Drive {
  const outbound = outboundTo(google);
  const send = (address: URL | string, init?: RequestInit) =>
    requestWithRetry(options, outbound, address, init);
  const files = (id = '') =>
    withParameters(`${google.apiUrl}/drive/v3/files${id && `/${requireId(id)}`}`, {});
  const uploads = (uploadType: string) =>
    withParameters(`${google.apiUrl}/upload/drive/v3/files`, { uploadType, fields: 'id' });
  const progressOf = (response: Response, total: number) => readProgress(response, total);
  return {
    newIds: async () => {
      const address = new URL(`${google.apiUrl}/drive/v3/files/generateIds`);
      address.search = new URLSearchParams({ count: String(IDS_AT_ONCE), space: 'drive' }).toString();
      return Ids.parse(await (await send(address)).json()).ids;
    },
    find: async (id) => {
      const found = await send(withParameters(files(id), { fields: FIELDS })).catch(undefinedWhen('gone'));
      return found === undefined ? undefined : DriveFile.parse(await found.json());
    },
    search: (search) => pages(send, files(), search),
    makeFolder: async (folder) => {
      const metadata = { ...metadataOf(folder), mimeType: FOLDER_TYPE };
      const made = await send(withParameters(files(), { fields: FIELDS }), jsonBody('POST', metadata));
      return DriveFile.parse(await made.json());
    },
    storeWhole: async (file, content) => {
      await discardBody(send(uploads('multipart'), multipart(metadataOf(file), content)));
    },
    startUpload: async (file, bytes) => {
      const init = jsonBody('POST', metadataOf(file), {
        'x-upload-content-type': PICTURE_TYPE,
        'x-upload-content-length': String(bytes),
      });
      const response = await send(uploads('resumable'), init);
      await response.body?.cancel();
      const session = response.headers.get('location');
      if (session === null) throw new DriveFailure('strange', 'an upload without an address');
      return session;
    },
    sendPiece: async (session, { from, content, total }) => {
      const range = `bytes ${from}-${from + content.length - 1}/${total}`;
      const once = { ...options, tries: 1 };
      return progressOf(await requestWithRetry(once, outbound, session, pieceRequest(range, content)), total);
    },
    getUploadProgress: async (session, total) =>
      progressOf(await send(session, pieceRequest(`bytes */${total}`, Buffer.alloc(0))), total),
    remove: async (id) => {
      const trash = () =>
        discardBody(send(withParameters(files(id), { fields: 'id' }), jsonBody('PATCH', { trashed: true })));
      await discardBody(send(files(id), { method: 'DELETE' })).catch((error: unknown) => {
        if (error instanceof DriveFailure && error.kind === 'gone') return;
        // In a shared drive only managers can delete permanently.
        if (error instanceof DriveFailure && error.kind === 'refused') return trash();
        throw error;
      });
    },
  };
}

/** The owner of the Drive: the account's address, or its name, or undefined. */
export async function accountOf(google: GoogleSettings, accessToken: string): Promise<string | null> {
  const address = new URL(`${google.apiUrl}/drive/v3/about`);
  address.searchParams.set('fields', 'user(displayName,emailAddress)');
  const response = await outboundTo(google)(address, { headers: { authorization: `Bearer ${accessToken}` } });
  if (!response.ok) throw await failureIn(response);
  const { user } = About.parse(await response.json());
  return user.emailAddress ?? user.displayName ?? null;
}

const About = z.object({
  user: z.object({ displayName: z.string().optional(), emailAddress: z.string().optional() }),
});

const Ids = z.object({ ids: z.array(z.string().regex(DRIVE_ID)).min(1) });

const Page = z.object({ files: z.array(DriveFile), nextPageToken: z.string().optional() });

type SendRequest = (address: URL | string, init?: RequestInit) => Promise<Response>;

async function* pages(send: SendRequest, files: URL, search: DriveSearch): AsyncGenerator<DriveFile> {
  let pageToken: string | undefined;
  do {
    const address = withParameters(files, {
      q: queryOf(search),
      fields: `nextPageToken,files(${FIELDS})`,
      pageSize: String(PAGE),
      includeItemsFromAllDrives: 'true',
      ...(search.driveId === undefined ? {} : { corpora: 'drive', driveId: search.driveId }),
      ...(pageToken === undefined ? {} : { pageToken }),
    });
    const page = Page.parse(await (await send(address)).json());
    yield* page.files;
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
}

/** A search in Drive's query language. */
export function queryOf({ parent, isFolder, properties = {} }: DriveSearch): string {
  return [
    'trashed = false',
    ...(parent === undefined ? [] : [`${quoted(parent)} in parents`]),
    ...(isFolder === undefined ? [] : [`mimeType = ${quoted(FOLDER_TYPE)}`]),
    ...Object.entries(properties).map(
      ([key, value]) => `appProperties has { key=${quoted(key)} and value=${quoted(value)} }`,
    ),
  ].join(' and ');
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
}

function metadataOf({ id, name, parent, properties }: NewFile) {
  return {
    id: requireId(id),
    name,
    ...(parent === undefined ? {} : { parents: [requireId(parent)] }),
    appProperties: properties,
  };
}

// Google returns files in shared drives only when the request says that it supports them.
function withParameters(address: URL | string, parameters: Readonly<Record<string, string>>): URL {
  const url = new URL(address);
  for (const [name, value] of Object.entries({ supportsAllDrives: 'true', ...parameters })) {
    url.searchParams.set(name, value);
  }
  return url;
}

function jsonBody(
  method: string,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): RequestInit {
  return {
    method,
    headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
    body: JSON.stringify(value),
  };
}

function multipart(metadata: unknown, content: Buffer): RequestInit {
  // Random, so that no image contains it.
  const boundary = randomUUID();
  const head = `--${boundary}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n--${boundary}\r\ncontent-type: ${PICTURE_TYPE}\r\n\r\n`;
  return {
    method: 'POST',
    headers: { 'content-type': `multipart/related; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

function pieceRequest(range: string, content: Buffer): RequestInit {
  return { method: 'PUT', headers: { 'content-range': range }, body: new Uint8Array(content) };
}

async function readProgress(response: Response, total: number): Promise<Progress> {
  await response.body?.cancel();
  if (response.status !== RESUME_INCOMPLETE) return { isDone: true, received: total };
  // Without the header, no bytes were received.
  const [, last] = /^bytes=0-(\d{1,12})$/.exec(response.headers.get('range') ?? '') ?? [];
  return { isDone: false, received: last === undefined ? 0 : Number(last) + 1 };
}

async function discardBody(response: Promise<Response>): Promise<void> {
  await (await response).body?.cancel();
}

function undefinedWhen(kind: DriveFailure['kind']) {
  return (error: unknown): undefined => {
    if (error instanceof DriveFailure && error.kind === kind) return undefined;
    throw error;
  };
}

function requireId(id: string): string {
  if (!DRIVE_ID.test(id)) throw new Error('not an id of Drive');
  return id;
}
