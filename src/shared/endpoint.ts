import type * as z from 'zod/mini';
import type { Message } from './i18n/message.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

type Schema = z.core.$ZodType;

/**
 * The files that a multipart body may contain: field name, maximum count (`most`), maximum size of a file in bytes, and the
 * messages for exceeding these limits.
 */
export type FilesPart = Readonly<{
  field: string;
  most: number;
  bytes: number;
  tooMany: Message;
  tooLarge: Message;
}>;

/** For how many minutes a sign-in or re-authentication counts as recent (beyond section 9). */
export const RECENT_AUTH_MINUTES = 10;

/** The inputs and outputs of an endpoint. */
export type EndpointParts = {
  params?: Schema;
  query?: Schema;
  body?: Schema;
  reply?: Schema;
  /** The largest body in bytes, if larger than the default. */
  bodyBytes?: number;
  /** The body is multipart/form-data, with files, and with text fields for `body`. */
  files?: FilesPart;
  /** The reply is a file, not JSON. */
  file?: true;
  /** Slow because it waits for password hashing or another server, which have their own limits, and not for the database. */
  isLong?: true;
  /** Not a read, but safe for the page to retry automatically after a 503. */
  isRepeatable?: true;
  /**
   * Requires re-authentication within `RECENT_AUTH_MINUTES`: always (checked by the permission check), or in
   * the named case (checked by the feature's action).
   */
  freshProof?: 'always' | Readonly<{ when: string }>;
  /** Also allowed for an administrator who must set up two-factor authentication first. */
  isForSettingUp?: true;
  /** The status of a success; 200 if omitted. */
  status?: 200 | 201 | 202 | 204;
};

/** An endpoint as a value that both sides use: the server mounts it and the browser calls it. Paths are under /api. */
export type Endpoint<Parts extends EndpointParts = EndpointParts> = Readonly<{
  method: Method;
  path: string;
  parts: Parts;
}>;

/**
 * Creates an endpoint: `endpoint('POST', '/time-entries', { body: TimeEntryInput, reply: z.object({ ... }), status: 201 })`.
 */
export function endpoint<const Parts extends EndpointParts>(
  method: Method,
  path: string,
  parts: Parts,
): Endpoint<Parts> {
  return { method, path, parts };
}

/** A schema's output type. */
export type SchemaOutput<S> = S extends Schema ? z.core.output<S> : undefined;

/** A schema's input type. */
export type SchemaInput<S> = S extends Schema ? z.core.input<S> : undefined;

/** The reply type of an endpoint. */
export type ReplyOf<E> = E extends Endpoint<infer Parts> ? SchemaOutput<Parts['reply']> : never;

/** The body type that a caller of an endpoint sends. */
export type BodyOf<E> = E extends Endpoint<infer Parts> ? SchemaInput<Parts['body']> : never;

/** The parsed query type of an endpoint. */
export type QueryOf<E> = E extends Endpoint<infer Parts> ? SchemaOutput<Parts['query']> : never;

/**
 * The header that is 'full' on every API response while the server's disk is full and only deletions and sign-ins can be saved.
 */
export const STORAGE_HEADER = 'x-storage';
