import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { commonMessages } from '#shared/common-messages.ts';
import type { FilesPart } from '#shared/endpoint.ts';
import { errorCode, errors, HttpError } from '#shared/errors.ts';
import { normalizeText } from '#shared/text-normalization.ts';
import { isAlive } from '../process/process-identity.ts';

/** How long the event loop is free for other requests between two chunks, in milliseconds. */
const PAUSE_MS = 5;

const waiting: (() => void)[] = [];

/**
 * Waits for a slot to process a chunk of something large, such as an upload. Waiting callers take turns in order of arrival,
 * with other requests served in between; a single caller starts immediately. So twenty concurrent uploads together get about 20
 * MB a second and leave the rest of the event loop to other requests.
 */
export function uploadSlot(): Promise<void> {
  return new Promise((goOn) => {
    waiting.push(goOn);
    if (waiting.length === 1) setImmediate(startNext);
  });
}

function startNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setTimeout(startNext, PAUSE_MS);
}

/**
 * An uploaded file, in a folder that is removed after the reply. `name` is for display only: the last part of
 * the client's file name, at most 255 characters, possibly empty.
 */
export type UploadedFile = Readonly<{
  path: string;
  name: string;
  /** The media type that the client states ('text/plain'), in lower case; 'unknown' if invalid. */
  statedType: string;
  bytes: number;
  /** SHA-256 of its content, in hex. */
  sha256: string;
}>;

/** The contents of a multipart body. The handler may put more files into `folder` while it runs. */
export type MultipartBody = Readonly<{
  fields: Readonly<Record<string, string>>;
  files: readonly UploadedFile[];
  folder: string;
}>;

const LIMITS = { fields: 10, fieldNameSize: 100, fieldSize: 8192, headerPairs: 20 } as const;
const NAME_CHARACTERS = 255;

/**
 * With less free space than this, uploads and generated files are rejected, so that the database can still
 * grow (security 2.3).
 */
const FREE_BYTES = 1_000_000_000;

const ABANDONED_MS = 3_600_000;

/** How long uploads may continue when the server stops, so that the client gets a reply before the process exits. */
const STOP_WAITS_MS = 4_000;
const RETRY_AFTER_SECONDS = 10;

// By data folder, because tests run several servers in one process.
const arriving = new Map<string, Set<() => void>>();

/**
 * Reads a multipart body: text fields, and files, which are written to a new folder under the data folder.
 * The folder is removed when `use` ends or fails. Throws 415 for another content type, 400 for too many files
 * or files under another field, 413 for too large ones, 507 when the disk is nearly full.
 */
export async function withFiles<Answer>(
  incoming: FastifyRequest,
  part: FilesPart,
  dataDir: string,
  use: (received: MultipartBody) => Promise<Answer>,
): Promise<Answer> {
  if (!incoming.isMultipart()) throw errors.unsupportedType(commonMessages.filesExpected);
  if (await isNearlyFull(dataDir)) throw errors.storageFull(commonMessages.storageFull);
  return inWorkFolder(dataDir, async (folder) =>
    use(await receiveInTime(incoming, part, { dataDir, folder })),
  );
}

/** Whether the data disk has too little space for files, so that the rest is left to the database. */
export async function isNearlyFull(dataDir: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(dataDir);
  return bavail * bsize < FREE_BYTES;
}

/** Runs `use` with a temporary folder and removes it afterwards. After a crash, `removeAbandonedUploads` removes it. */
export async function inWorkFolder<Answer>(
  dataDir: string,
  use: (folder: string) => Promise<Answer>,
): Promise<Answer> {
  const folder = await mkdtemp(join(uploadsIn(dataDir), `${prefix()}${process.pid}-`));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Removes upload folders of killed processes. Folders of other running processes on this machine stay; those
 * of other machines on a shared disk are removed once they are older than any request can be. `now` is in
 * milliseconds.
 */
export function removeAbandonedUploads(dataDir: string, now: number): void {
  const folder = uploadsIn(dataDir);
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (name.startsWith(prefix())) {
      const pid = Number.parseInt(name.slice(prefix().length), 10);
      if (pid === process.pid || !isAlive(pid)) rmSync(path, { recursive: true, force: true });
    } else if (statSync(path).mtimeMs < now - ABANDONED_MS) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

/** Rejects uploads to this data folder that have not arrived a few seconds after their server began to stop. */
export function endUploadsSoon(dataDir: string): void {
  setTimeout(() => {
    for (const rejectUpload of arriving.get(dataDir) ?? []) rejectUpload();
  }, STOP_WAITS_MS).unref();
}

async function receiveInTime(
  incoming: FastifyRequest,
  part: FilesPart,
  { dataDir, folder }: { dataDir: string; folder: string },
): Promise<MultipartBody> {
  let rejectThis: () => void = () => undefined;
  const stopped = new Promise<never>((_resolve, reject) => {
    rejectThis = () => {
      discardBody(incoming);
      reject(errors.unavailable(commonMessages.unavailable, RETRY_AFTER_SECONDS));
    };
  });
  const here = arriving.get(dataDir) ?? new Set();
  arriving.set(dataDir, here.add(rejectThis));
  try {
    return await Promise.race([receive(incoming, part, folder), stopped]);
  } finally {
    here.delete(rejectThis);
    if (here.size === 0) arriving.delete(dataDir);
  }
}

async function receive(incoming: FastifyRequest, part: FilesPart, folder: string): Promise<MultipartBody> {
  const fields: Record<string, string> = {};
  const files: UploadedFile[] = [];
  await uploadSlot();
  // If the client disconnected before parsing began, the parser would wait forever.
  if (incoming.raw.destroyed) throw errors.invalid(commonMessages.invalidBody);
  try {
    for await (const found of incoming.parts({ limits: limitsOf(part) })) {
      if (found.type === 'field') {
        if (typeof found.value !== 'string') throw errors.invalid(commonMessages.invalidBody);
        fields[found.fieldname] = found.value;
        continue;
      }
      if (found.fieldname !== part.field) throw errors.invalid(commonMessages.invalidBody);
      if (files.length === part.most) throw errors.invalid(part.tooMany, { [part.field]: part.tooMany });
      const file = await storeFile(found, part, join(folder, String(files.length)));
      // A form without a chosen file sends an empty, unnamed one.
      if (file.bytes > 0 || file.name !== '') files.push(file);
    }
  } catch (error) {
    discardBody(incoming);
    throw toHttpError(error);
  }
  return { fields, files, folder };
}

// Discard the rest of the body; otherwise the reply would wait behind it.
function discardBody(incoming: FastifyRequest): void {
  incoming.raw.unpipe();
  incoming.raw.resume();
}

function uploadsIn(dataDir: string): string {
  const folder = join(dataDir, 'uploads');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

function prefix(): string {
  return `${hostname().replace(/[^A-Za-z0-9]/g, '_')}-`;
}

function limitsOf(part: FilesPart) {
  return {
    ...LIMITS,
    // One more than allowed, so that our own error message is used.
    files: part.most + 1,
    fileSize: part.bytes,
    parts: part.most + 1 + LIMITS.fields,
  };
}

async function storeFile(found: MultipartFile, part: FilesPart, path: string): Promise<UploadedFile> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* measured(): AsyncGenerator<Buffer> {
    for await (const chunk of found.file) {
      await uploadSlot();
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  await writeFile(path, measured(), { flag: 'wx', mode: 0o600 });
  if (found.file.truncated) throw errors.tooLarge(part.tooLarge, { [part.field]: part.tooLarge });
  return {
    path,
    name: displayName(found.filename),
    statedType: parseMediaType(found.mimetype),
    bytes,
    sha256: hash.digest('hex'),
  };
}

function parseMediaType(given: string): string {
  const [, type = 'unknown'] = /^([\w.+-]{1,60}\/[\w.+-]{1,60})$/.exec(given) ?? [];
  return type.toLowerCase();
}

function displayName(given: string | undefined): string {
  const [last = ''] = (given ?? '').split(/[/\\]/).slice(-1);
  return Array.from(normalizeText(last)).slice(0, NAME_CHARACTERS).join('').slice(0, NAME_CHARACTERS).trim();
}

// The parser's own errors have no code, and a disconnected client is not a server error.
function toHttpError(error: unknown): unknown {
  if (error instanceof HttpError) return error;
  const code = errorCode(error) ?? '';
  const isBroken = code === '' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET';
  return isBroken ? errors.invalid(commonMessages.invalidBody) : error;
}
