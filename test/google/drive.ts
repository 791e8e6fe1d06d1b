import {
  deletePermanently,
  FOLDER,
  isTrashed,
  type KeptFile,
  type Metadata,
  type State,
  sha256Of,
} from './fake-state.ts';
import { type Answer, type Asked, GoogleError, json } from './replies.ts';

const MAX_IDS = 1000;
const PROPERTY_BYTES = 124;
const FILE_FIELDS = [
  'id',
  'name',
  'mimeType',
  'parents',
  'trashed',
  'appProperties',
  'size',
  'sha256Checksum',
  'webViewLink',
  'driveId',
  'capabilities(canAddChildren)',
];

/** The account of a request's token; throws 401 for an unknown token. */
export function accountIn(state: State, { headers }: Asked): string {
  const [, token = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
  const account = state.accessTokens.get(token);
  if (account === undefined) throw new GoogleError(401, 'authError', 'Invalid Credentials');
  return account;
}

/** GET about, which requires `fields`. */
export function about(account: string, { url }: Asked): Answer {
  if (!url.searchParams.has('fields')) {
    throw new GoogleError(400, 'required', "The 'fields' parameter is required for this method.");
  }
  return json({ user: { displayName: 'District Photos', emailAddress: account } });
}

/** GET files/generateIds. */
export function generateIds(state: State, { url }: Asked): Answer {
  const count = Number(url.searchParams.get('count') ?? '10');
  if (!Number.isInteger(count) || count < 1 || count > MAX_IDS)
    throw new GoogleError(400, 'invalidParameter');
  const ids = Array.from({ length: count }, () => {
    const id = `1${crypto.randomUUID().replaceAll('-', '')}`;
    state.issuedIds.add(id);
    return id;
  });
  return json({ kind: 'drive#generatedIds', space: 'drive', ids });
}

/** GET files: the matching files that the app may see. */
export function list(state: State, account: string, asked: Asked, origin: string): Answer {
  const { searchParams } = asked.url;
  requireAllDrives(asked);
  if (searchParams.get('includeItemsFromAllDrives') !== 'true') {
    throw new GoogleError(400, 'invalidParameter', 'shared drives are left out');
  }
  const passes = searching(state, searchParams.get('q') ?? '');
  const fields = fieldsIn(searchParams, /^nextPageToken,files\((.*)\)$/);
  const size = Number(searchParams.get('pageSize') ?? '100');
  if (!(size >= 1 && size <= 1000)) throw new GoogleError(400, 'invalidParameter', 'pageSize');
  const from = Number(searchParams.get('pageToken') ?? '0');
  const found = [...state.files.values()].filter(
    (file) => file.account === account && file.isOfApp && passes(file),
  );
  const files = found.slice(from, from + size).map((file) => shown(state, file, fields, origin));
  return json({ files, ...(found.length > from + size ? { nextPageToken: String(from + size) } : {}) });
}

/** GET files/{id}. */
export function get(state: State, account: string, asked: Asked, id: string, origin: string): Answer {
  requireAllDrives(asked);
  return json(shown(state, visible(state, account, id), fieldsIn(asked.url.searchParams, /^(.*)$/), origin));
}

/** DELETE files/{id}: deletes it permanently, with its content. */
export function remove(state: State, account: string, asked: Asked, id: string): Answer {
  requireAllDrives(asked);
  deletePermanently(state, visible(state, account, id).id);
  return { status: 204 };
}

/** PATCH files/{id}: moves it to the trash. */
export function update(state: State, account: string, asked: Asked, id: string, origin: string): Answer {
  requireAllDrives(asked);
  const file = visible(state, account, id);
  const { trashed } = metadataIn(asked.body) as { trashed?: boolean };
  file.trashed = trashed === true;
  return json(shown(state, file, fieldsIn(asked.url.searchParams, /^(.*)$/), origin));
}

/** POST files: a folder. */
export function create(state: State, account: string, asked: Asked, origin: string): Answer {
  requireAllDrives(asked);
  requireType(asked, 'application/json');
  const metadata = metadataIn(asked.body);
  if (metadata.mimeType !== FOLDER) throw new GoogleError(400, 'badRequest', 'not a folder');
  const file = store(state, account, metadata, { type: FOLDER, content: Buffer.alloc(0), isKept: false });
  return json(shown(state, file, fieldsIn(asked.url.searchParams, /^(.*)$/), origin));
}

/** Parses the metadata of a new file. */
export function metadataIn(body: Buffer): Metadata {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new GoogleError(400, 'parseError', 'Parse Error');
  }
}

/** Stores a file; throws when its id is in use. */
export function store(
  state: State,
  account: string,
  metadata: Metadata,
  { type, content, isKept }: { type: string; content: Buffer; isKept: boolean },
): KeptFile {
  requirePlace(state, account, metadata);
  const file: KeptFile = {
    id: metadata.id ?? '',
    account,
    name: metadata.name ?? 'Untitled',
    mimeType: metadata.mimeType ?? type,
    parents: metadata.parents ?? ['root'],
    trashed: false,
    appProperties: metadata.appProperties ?? {},
    size: content.length,
    sha256: sha256Of(content),
    content: isKept ? content : undefined,
    isOfApp: true,
  };
  state.files.set(file.id, file);
  return file;
}

/** Throws unless a new file is valid: an unused id that Google issued, an existing folder, small properties. */
export function requirePlace(
  state: State,
  account: string,
  { id = '', parents = [], appProperties }: Metadata,
) {
  if (!state.issuedIds.has(id)) {
    throw new GoogleError(400, 'invalid', 'The provided file ID is not usable.');
  }
  if (state.files.has(id)) {
    throw new GoogleError(409, 'fileIdInUse', 'A file already exists with the provided ID.');
  }
  for (const parent of parents) visible(state, account, parent);
  for (const [key, value] of Object.entries(appProperties ?? {})) {
    if (Buffer.byteLength(key + value) > PROPERTY_BYTES) throw new GoogleError(400, 'invalid', 'property');
  }
}

/** The requested fields of a file, as Drive returns them. */
export function shown(state: State, file: KeptFile, fields: readonly string[], origin: string) {
  const all: Readonly<Record<string, unknown>> = {
    id: file.id,
    name: file.name,
    mimeType: file.mimeType,
    parents: file.parents,
    trashed: isTrashed(state, file),
    appProperties: file.appProperties,
    size: file.mimeType === FOLDER ? undefined : String(file.size),
    sha256Checksum: file.mimeType === FOLDER ? undefined : file.sha256,
    webViewLink: `${origin}/view/${file.id}`,
    'capabilities(canAddChildren)': { canAddChildren: file.mimeType === FOLDER },
  };
  return Object.fromEntries(
    fields
      .filter((field) => all[field] !== undefined)
      .map((field) => [field.replace(/\(.*\)$/, ''), all[field]]),
  );
}

/** The fields that a request asks for. */
export function fieldsIn(given: URLSearchParams, pattern: RegExp): string[] {
  const [, wanted] = pattern.exec(given.get('fields') ?? 'id,name,mimeType') ?? [];
  const fields = wanted?.split(',') ?? [];
  if (wanted === undefined || fields.some((field) => !FILE_FIELDS.includes(field))) {
    throw new GoogleError(400, 'invalidParameter', 'Invalid field selection');
  }
  return fields;
}

/** Throws unless the request declares support for shared drives, whose files it would not find otherwise. */
export function requireAllDrives({ url }: Asked): void {
  if (url.searchParams.get('supportsAllDrives') !== 'true') {
    throw new GoogleError(400, 'invalidParameter', 'supportsAllDrives is missing');
  }
}

/** Throws unless the body has this media type. */
export function requireType({ headers }: Asked, type: string): void {
  if (headers['content-type']?.split(';')[0] !== type) throw new GoogleError(415, 'unsupportedMediaType');
}

// The app sees only files that it made in this account.
function visible(state: State, account: string, id: string): KeptFile {
  const file = state.files.get(id);
  if (file === undefined || !file.isOfApp || file.account !== account) {
    throw new GoogleError(404, 'notFound', `File not found: ${id}.`);
  }
  return file;
}

type Test = (file: KeptFile) => boolean;

const STRING = String.raw`'((?:[^'\\]|\\['\\])*)'`;

const TERMS: readonly (readonly [RegExp, (state: State, ...found: string[]) => Test])[] = [
  [new RegExp(`^name = ${STRING}`), (_, name) => (file) => file.name === name],
  [new RegExp(`^mimeType = ${STRING}`), (_, type) => (file) => file.mimeType === type],
  [
    new RegExp(`^${STRING} in parents`),
    (_, id = '') =>
      (file) =>
        file.parents.includes(id),
  ],
  [/^trashed = (true|false)/, (state, wanted) => (file) => String(isTrashed(state, file)) === wanted],
  [
    new RegExp(`^appProperties has \\{ key=${STRING} and value=${STRING} \\}`),
    (_, key = '', value) =>
      (file) =>
        file.appProperties[key] === value,
  ],
];

/** Parses a search query of Drive; throws 400 for an invalid one, and for one that includes the trash. */
function searching(state: State, q: string): Test {
  const tests: Test[] = [];
  let rest = q;
  while (rest !== '') {
    const [term, found] = termIn(rest);
    tests.push(term(state, ...found.slice(1).map(unescaped)));
    rest = rest.slice(found[0].length);
    if (rest === '') break;
    if (!/^ and ./.test(rest)) throw invalid();
    rest = rest.slice(' and '.length);
  }
  if (!/(^| )trashed = false( |$)/.test(q))
    throw new GoogleError(400, 'invalid', 'the trash is searched too');
  return (file) => tests.every((passes) => passes(file));
}

function termIn(text: string) {
  for (const [pattern, term] of TERMS) {
    const found = pattern.exec(text);
    if (found !== null) return [term, found] as const;
  }
  throw invalid();
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(['\\])/g, '$1');
}

function invalid(): GoogleError {
  return new GoogleError(400, 'invalid', 'Invalid Value');
}
