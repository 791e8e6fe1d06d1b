import { fieldsIn, metadataIn, requireAllDrives, requirePlace, requireType, shown, store } from './drive.ts';
import { type Session, type State, unguessable } from './fake-state.ts';
import { type Answer, type Asked, GoogleError, json } from './replies.ts';

/** All pieces of an upload except the last are multiples of this. */
export const PIECE_BYTES = 262_144;
const WHOLE_BYTES = 5 * 1024 * 1024;
const LINE_BREAK = '\r\n';

/** POST upload?uploadType=multipart: exactly two parts, metadata as JSON and the content. */
export function uploadWhole(
  state: State,
  account: string,
  asked: Asked,
  { origin, isKept }: { origin: string; isKept: boolean },
): Answer {
  requireAllDrives(asked);
  requireType(asked, 'multipart/related');
  const [first, second, ...more] = partsOf(asked);
  if (first === undefined || second === undefined || more.length > 0) throw malformed('two parts');
  if (!/^application\/json(;|$)/.test(first.type)) throw malformed('metadata comes first');
  if (second.content.length > WHOLE_BYTES) throw new GoogleError(413, 'uploadTooLarge');
  const file = store(state, account, metadataIn(first.content), {
    type: second.type,
    content: second.content,
    isKept,
  });
  return json(shown(state, file, fieldsIn(asked.url.searchParams, /^(.*)$/), origin));
}

/** POST upload?uploadType=resumable: returns the URL for the content. */
export function startUpload(state: State, account: string, asked: Asked, origin: string): Answer {
  requireAllDrives(asked);
  requireType(asked, 'application/json');
  const type = asked.headers['x-upload-content-type'];
  const total = Number(asked.headers['x-upload-content-length']);
  if (typeof type !== 'string' || !Number.isInteger(total) || total < 1) throw malformed('X-Upload-Content');
  const metadata = metadataIn(asked.body);
  requirePlace(state, account, metadata);
  const id = unguessable('');
  state.sessions.set(id, { id, account, metadata, type, total, received: [], bytes: 0, done: undefined });
  const fields = encodeURIComponent(asked.url.searchParams.get('fields') ?? 'id');
  const location = `${origin}/upload/drive/v3/files?uploadType=resumable&fields=${fields}&upload_id=${id}`;
  return { status: 200, headers: { location } };
}

/** The upload of a PUT; throws 404 when it does not exist. */
export function sessionIn(state: State, account: string, { url }: Asked): Session {
  const session = state.sessions.get(url.searchParams.get('upload_id') ?? '');
  if (session === undefined || session.account !== account)
    throw new GoogleError(404, 'notFound', 'Not Found');
  return session;
}

/** PUT upload: receives a piece, or returns how much has arrived. */
export function continueUpload(
  state: State,
  session: Session,
  asked: Asked,
  { origin, isKept }: { origin: string; isKept: boolean },
): Answer {
  const range = asked.headers['content-range'] ?? '';
  if (range === `bytes */${session.total}`) {
    if (asked.body.length > 0) throw malformed('a status request with a body');
    return progress(state, session, asked, { origin, isKept });
  }
  const [, from, to, total] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(range) ?? [];
  const bytes = Number(to) - Number(from) + 1;
  const isLast = Number(to) + 1 === session.total;
  if (Number(total) !== session.total || bytes !== asked.body.length) throw malformed('Content-Range');
  if (Number(from) !== session.bytes) throw malformed('not the next position');
  if (!isLast && bytes % PIECE_BYTES !== 0) throw malformed('not a multiple of 256 KiB');
  receive(session, asked.body);
  return progress(state, session, asked, { origin, isKept });
}

/** Stores received content. */
export function receive(session: Session, content: Buffer): void {
  session.received.push(content);
  session.bytes += content.length;
}

function progress(
  state: State,
  session: Session,
  { url }: Asked,
  { origin, isKept }: { origin: string; isKept: boolean },
): Answer {
  if (session.bytes < session.total) {
    // Without received content there is no Range header.
    return { status: 308, headers: session.bytes === 0 ? {} : { range: `bytes=0-${session.bytes - 1}` } };
  }
  session.done ??= store(state, session.account, session.metadata, {
    type: session.type,
    content: Buffer.concat(session.received),
    isKept,
  });
  session.received = [];
  return json(shown(state, session.done, fieldsIn(url.searchParams, /^(.*)$/), origin));
}

function partsOf({ headers, body }: Asked) {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/.exec(headers['content-type'] ?? '') ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) throw malformed('no boundary');
  const text = body.toString('latin1');
  const end = `${LINE_BREAK}--${boundary}--`;
  if (!text.startsWith(`--${boundary}${LINE_BREAK}`) || !text.trimEnd().endsWith(end))
    throw malformed('framing');
  return text
    .slice(boundary.length + 4, text.lastIndexOf(end))
    .split(`${LINE_BREAK}--${boundary}${LINE_BREAK}`)
    .map((part) => {
      const at = part.indexOf(LINE_BREAK + LINE_BREAK);
      const [, type = ''] = /^content-type: *(.*)$/im.exec(part.slice(0, at)) ?? [];
      return { type: type.trim(), content: Buffer.from(part.slice(at + 4), 'latin1') };
    });
}

function malformed(what: string): GoogleError {
  return new GoogleError(400, 'badRequest', `Malformed: ${what}`);
}
