import type { Message } from './i18n/message.ts';

/** Why a request fails, independent of HTTP: `server/http/error-replies.ts` maps a kind to a status. */
export type HttpErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'recentAuthNeeded'
  | 'twoFactorNeeded'
  | 'notFound'
  | 'conflict'
  | 'tooLarge'
  | 'unsupportedType'
  | 'tooManyTries'
  | 'unavailable'
  | 'busy'
  | 'storageFull';

/** Details of an error: the invalid fields, and after how many seconds to retry. */
export type HttpErrorDetails = {
  fields?: Readonly<Record<string, Message>>;
  retryAfterSeconds?: number;
  /** The current count, if it differs from the one that the caller's decision was based on. */
  total?: number;
  /** The id of the record that an earlier call with the same Idempotency-Key created. */
  made?: number | undefined;
};

/** The error to throw anywhere while a request is handled. The error handler turns it into a reply. */
export class HttpError extends Error {
  readonly kind: HttpErrorKind;
  readonly text: Message;
  readonly details: HttpErrorDetails;

  constructor(kind: HttpErrorKind, text: Message, details: HttpErrorDetails = {}) {
    super(text);
    this.name = 'HttpError';
    this.kind = kind;
    this.text = text;
    this.details = details;
  }
}

/** Returns the message of the `HttpError` that a check throws; undefined if it passes. Other errors pass through. */
export function httpErrorMessage(check: () => void): Message | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error.text;
    throw error;
  }
}

/**
 * Creates errors by kind: `throw errors.notFound(messages.notFound)`. Where `fields` is a parameter, it names the invalid
 * fields.
 */
export const errors = {
  invalid: (text: Message, fields: Readonly<Record<string, Message>> = {}) =>
    new HttpError('invalid', text, { fields }),
  unauthenticated: (text: Message) => new HttpError('unauthenticated', text),
  forbidden: (text: Message) => new HttpError('forbidden', text),
  /** The caller may retry after re-authentication. */
  recentAuthNeeded: (text: Message) => new HttpError('recentAuthNeeded', text),
  /** The caller may retry after setting up two-factor authentication. */
  twoFactorNeeded: (text: Message) => new HttpError('twoFactorNeeded', text),
  notFound: (text: Message) => new HttpError('notFound', text),
  conflict: (text: Message) => new HttpError('conflict', text),
  setByServer: (text: Message, fields: Readonly<Record<string, Message>>) =>
    new HttpError('conflict', text, { fields }),
  repeated: (text: Message, made: number | undefined) => new HttpError('conflict', text, { made }),
  countChanged: (text: Message, total: number) => new HttpError('conflict', text, { total }),
  tooLarge: (text: Message, fields: Readonly<Record<string, Message>> = {}) =>
    new HttpError('tooLarge', text, { fields }),
  unsupportedType: (text: Message) => new HttpError('unsupportedType', text),
  tooManyTries: (text: Message, retryAfterSeconds: number) =>
    new HttpError('tooManyTries', text, { retryAfterSeconds }),
  storageFull: (text: Message) => new HttpError('storageFull', text),
  unavailable: (text: Message, retryAfterSeconds: number) =>
    new HttpError('unavailable', text, { retryAfterSeconds }),
  /** Not a failure: the server is only overloaded. */
  busy: (text: Message, retryAfterSeconds: number) => new HttpError('busy', text, { retryAfterSeconds }),
} as const;

/** Returns the message of anything that was thrown. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the code of a system or library error, such as 'ENOENT'; undefined if it has none. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
