import type * as z from 'zod/mini';
import type { Message } from './i18n/message.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

type Schema = z.core.$ZodType;

/** The files that a multipart body may hold: their field, number and size, and the messages for more. */
export type FilesPart = Readonly<{
  field: string;
  most: number;
  bytes: number;
  tooMany: Message;
  tooLarge: Message;
}>;

/** For how long a sign-in, or a proof given since, counts as fresh (beyond section 9). */
export const RECENT_AUTH_MINUTES = 10;

/** What an endpoint takes and gives. */
export type EndpointParts = {
  params?: Schema;
  query?: Schema;
  body?: Schema;
  reply?: Schema;
  /** The largest body, when it may be larger than others. */
  bodyBytes?: number;
  /** The body is multipart/form-data: files, and text fields that `body` reads. */
  files?: FilesPart;
  /** A success is a file to save, not JSON. */
  file?: true;
  /** It takes long because of password hashing or another server, not the database, and is limited there. */
  isLong?: true;
  /** Not a read, but the page may retry it by itself when told to come back later. */
  isRepeatable?: true;
  /**
   * The session must have proven within `RECENT_AUTH_MINUTES` who sends this: always, which the gate sees to, or only in the
   * case named, which the room's action sees to.
   */
  freshProof?: 'always' | Readonly<{ when: string }>;
  /** It also answers an administrator who has to set up a second proof before anything else. */
  isForSettingUp?: true;
  /** The status of a success, 200 when left out. */
  status?: 200 | 201 | 202 | 204;
};

/** A call as a value that both sides read: the server mounts it, the browser sends it. Paths sit under /api. */
export type Endpoint<Parts extends EndpointParts = EndpointParts> = Readonly<{
  method: Method;
  path: string;
  parts: Parts;
}>;

/** `endpoint('POST', '/time-entries', { body: TimeEntryInput, reply: z.object({ ... }), status: 201 })` */
export function endpoint<const Parts extends EndpointParts>(
  method: Method,
  path: string,
  parts: Parts,
): Endpoint<Parts> {
  return { method, path, parts };
}

/** What arrives after the schema has read it. */
export type Parsed<S> = S extends Schema ? z.core.output<S> : undefined;

/** What a caller writes. */
export type Written<S> = S extends Schema ? z.core.input<S> : undefined;

/** The reply of an endpoint. */
export type ReplyOf<E> = E extends Endpoint<infer Parts> ? Parsed<Parts['reply']> : never;

/** The body that a caller of an endpoint writes. */
export type BodyOf<E> = E extends Endpoint<infer Parts> ? Written<Parts['body']> : never;

/** The query of an endpoint after its schema has read it. */
export type QueryOf<E> = E extends Endpoint<infer Parts> ? Parsed<Parts['query']> : never;

/** Every API response carries this header with 'full' while nothing can be saved because the disk is full. */
export const STORAGE_HEADER = 'x-storage';
