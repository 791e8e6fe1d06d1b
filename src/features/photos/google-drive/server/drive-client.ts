import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { GoogleSettings } from '#server/config.ts';
import { DriveFailure, readFailure } from './google-errors.ts';
import {
  createGoogleFetch,
  RESUME_INCOMPLETE,
  type RequestOptions,
  requestWithRetry,
} from './google-requests.ts';

/** The type of a folder in Drive. */
export const FOLDER_TYPE = 'application/vnd.google-apps.folder';

/** Files up to this many bytes are sent in one request (Google's limit). */
export const SINGLE_REQUEST_BYTES = 5 * 1024 * 1024;

/** Larger files are sent in chunks of this many bytes: a multiple of 256 KiB, as Google requires. */
export const CHUNK_BYTES = 4 * 262_144;

/** The format of an id in Drive. No other text is inserted into a request's address. */
export const DRIVE_ID = /^[A-Za-z0-9_-]{10,100}$/;

const IDS_PER_REQUEST = 100;
const PAGE_SIZE = 1000;
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

/** A file or a folder in Drive. `driveId` is set if it is in a shared drive; `appProperties` are visible only to this app. */
export type DriveFile = z.infer<typeof DriveFile>;

/** The metadata of a new file. `id` is one of `newIds`, so creating the file again does not make a second one. */
export type NewFile = Readonly<{
  id: string;
  name: string;
  parent: string | undefined;
  properties: Readonly<Record<string, string>>;
}>;

/** The progress of an upload in chunks: the number of bytes received, or that it is complete. */
export type UploadProgress = Readonly<{ isDone: boolean; received: number }>;

/** Search conditions, which are combined with "and". Files in the trash are never found. */
export type DriveSearch = Readonly<{
  parent?: string;
  isFolder?: true;
  properties?: Readonly<Record<string, string>>;
  /** The shared drive to search; undefined for the account's own Drive. */
  driveId?: string | undefined;
}>;

/** The Drive API calls of the app. Each call waits and retries as Google requires. */
export type Drive = Readonly<{
  /** Returns ids for new files. */
  newIds: () => Promise<string[]>;
  /** Returns a file by its id, trashed or not, or undefined if it does not exist or the app has no access to it. */
  find: (id: string) => Promise<DriveFile | undefined>;
  search: (search: DriveSearch) => AsyncIterable<DriveFile>;
  makeFolder: (folder: NewFile) => Promise<DriveFile>;
  /** Stores a photo of at most `SINGLE_REQUEST_BYTES`. Throws `taken` if a file with its id exists. */
  uploadWhole: (file: NewFile, content: Buffer) => Promise<void>;
  /** Begins an upload in chunks. Returns the address for the chunks, which is valid for a week. */
  startUpload: (file: NewFile, bytes: number) => Promise<string>;
  /** Sends a chunk. Never retried automatically: the caller first asks how much was received. */
  sendChunk: (
    session: string,
    chunkRequest: { from: number; content: Buffer; total: number },
  ) => Promise<UploadProgress>;
  /** Returns how much was received, or `gone` if the upload must start over. */
  getUploadProgress: (session: string, total: number) => Promise<UploadProgress>;
  /**
   * Deletes a file, or moves it to the trash if this account may not delete it. Succeeds when the file is already
   * gone.
   */
  remove: (id: string) => Promise<void>;
}>;

const IMAGE_TYPE = 'image/jpeg';

// Long because its calls share one account and one way to send requests.
/** Returns a Drive client for an account's tokens. */
export function openDrive(google: GoogleSettings, options: RequestOptions): Drive {
  const googleFetch = createGoogleFetch(google);
  const send = (address: URL | string, init?: RequestInit) =>
    requestWithRetry(options, googleFetch, address, init);
  const files = (id = '') =>
    withParameters(`${google.apiUrl}/drive/v3/files${id && `/${requireId(id)}`}`, {});
  const uploads = (uploadType: string) =>
    withParameters(`${google.apiUrl}/upload/drive/v3/files`, { uploadType, fields: 'id' });
  return {
    newIds: async () => {
      const address = new URL(`${google.apiUrl}/drive/v3/files/generateIds`);
      address.search = new URLSearchParams({ count: String(IDS_PER_REQUEST), space: 'drive' }).toString();
      return Ids.parse(await (await send(address)).json()).ids;
    },
    find: async (id) => {
      const found = await send(withParameters(files(id), { fields: FIELDS })).catch(undefinedWhen('gone'));
      return found === undefined ? undefined : DriveFile.parse(await found.json());
    },
    search: (search) => searchPages(send, files(), search),
    makeFolder: async (folder) => {
      const metadata = { ...metadataOf(folder), mimeType: FOLDER_TYPE };
      const made = await send(withParameters(files(), { fields: FIELDS }), jsonBody('POST', metadata));
      return DriveFile.parse(await made.json());
    },
    uploadWhole: async (file, content) => {
      await discardBody(send(uploads('multipart'), multipart(metadataOf(file), content)));
    },
    startUpload: async (file, bytes) => {
      const init = jsonBody('POST', metadataOf(file), {
        'x-upload-content-type': IMAGE_TYPE,
        'x-upload-content-length': String(bytes),
      });
      const response = await send(uploads('resumable'), init);
      await response.body?.cancel();
      const session = response.headers.get('location');
      if (session === null) throw new DriveFailure('unexpected', 'an upload reply without an address');
      return session;
    },
    sendChunk: async (session, { from, content, total }) => {
      const range = `bytes ${from}-${from + content.length - 1}/${total}`;
      const once = { ...options, tries: 1 };
      return readProgress(
        await requestWithRetry(once, googleFetch, session, chunkRequest(range, content)),
        total,
      );
    },
    getUploadProgress: async (session, total) =>
      readProgress(await send(session, chunkRequest(`bytes */${total}`, Buffer.alloc(0))), total),
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

/** Returns the owner of the Drive: the account's address, else its name, else null. */
export async function findAccountName(google: GoogleSettings, accessToken: string): Promise<string | null> {
  const address = new URL(`${google.apiUrl}/drive/v3/about`);
  address.searchParams.set('fields', 'user(displayName,emailAddress)');
  const response = await createGoogleFetch(google)(address, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  if (!response.ok) throw await readFailure(response);
  const { user } = AboutReply.parse(await response.json());
  return user.emailAddress ?? user.displayName ?? null;
}

const AboutReply = z.object({
  user: z.object({ displayName: z.string().optional(), emailAddress: z.string().optional() }),
});

const Ids = z.object({ ids: z.array(z.string().regex(DRIVE_ID)).min(1) });

const Page = z.object({ files: z.array(DriveFile), nextPageToken: z.string().optional() });

type SendRequest = (address: URL | string, init?: RequestInit) => Promise<Response>;

async function* searchPages(send: SendRequest, files: URL, search: DriveSearch): AsyncGenerator<DriveFile> {
  let pageToken: string | undefined;
  do {
    const address = withParameters(files, {
      q: toDriveQuery(search),
      fields: `nextPageToken,files(${FIELDS})`,
      pageSize: String(PAGE_SIZE),
      includeItemsFromAllDrives: 'true',
      ...(search.driveId === undefined ? {} : { corpora: 'drive', driveId: search.driveId }),
      ...(pageToken === undefined ? {} : { pageToken }),
    });
    const page = Page.parse(await (await send(address)).json());
    yield* page.files;
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined);
}

/** Returns a search in Drive's query language. */
export function toDriveQuery({ parent, isFolder, properties = {} }: DriveSearch): string {
  return [
    'trashed = false',
    ...(parent === undefined ? [] : [`${quote(parent)} in parents`]),
    ...(isFolder === undefined ? [] : [`mimeType = ${quote(FOLDER_TYPE)}`]),
    ...Object.entries(properties).map(
      ([key, value]) => `appProperties has { key=${quote(key)} and value=${quote(value)} }`,
    ),
  ].join(' and ');
}

function quote(text: string): string {
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
  const head = `--${boundary}\r\ncontent-type: application/json; charset=UTF-8\r\n\r\n${JSON.stringify(metadata)}\r\n--${boundary}\r\ncontent-type: ${IMAGE_TYPE}\r\n\r\n`;
  return {
    method: 'POST',
    headers: { 'content-type': `multipart/related; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), content, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

function chunkRequest(range: string, content: Buffer): RequestInit {
  return { method: 'PUT', headers: { 'content-range': range }, body: new Uint8Array(content) };
}

async function readProgress(response: Response, total: number): Promise<UploadProgress> {
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
  if (!DRIVE_ID.test(id)) throw new Error('not a Drive id');
  return id;
}
