import type { Message } from './i18n/message.ts';

/** Why a request is refused. It knows no HTTP: `server/http/errors.ts` maps a kind to a status. */
export type HttpErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'unproven'
  | 'secondProofNeeded'
  | 'notFound'
  | 'conflict'
  | 'tooLarge'
  | 'unsupportedType'
  | 'tooManyTries'
  | 'unavailable'
  | 'busy'
  | 'storageFull';

/** Details that go with a refusal: the fields that are wrong, and after how many seconds a new try makes sense. */
export type HttpErrorDetails = {
  fields?: Readonly<Record<string, Message>>;
  retryAfterSeconds?: number;
  /** How many there are by now, when a decision was about another number. */
  total?: number;
  /** What an earlier call with the same key made. */
  made?: number | undefined;
};

/** A refusal as an error: thrown anywhere below a route, answered by the error handler. */
export class HttpError extends Error {
  readonly kind: HttpErrorKind;
  readonly text: Message;
  readonly details: HttpErrorDetails;

  constructor(kind: HttpErrorKind, text: Message, details: HttpErrorDetails = {}) {
    super(text);
    this.name = 'Refusal';
    this.kind = kind;
    this.text = text;
    this.details = details;
  }
}

/** The message with which a check rejects; undefined when it passes. Other errors pass through. */
export function httpErrorMessage(check: () => void): Message | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof HttpError) return error.text;
    throw error;
  }
}

/** One maker per kind: `throw refuse.notFound(messages.notFound)`. `invalid` also names the fields at fault. */
export const errors = {
  invalid: (text: Message, fields: Readonly<Record<string, Message>> = {}) =>
    new HttpError('invalid', text, { fields }),
  unauthenticated: (text: Message) => new HttpError('unauthenticated', text),
  forbidden: (text: Message) => new HttpError('forbidden', text),
  /** The caller may, but must say once more who they are. */
  unproven: (text: Message) => new HttpError('unproven', text),
  /** The caller may, once they have set up a second proof. */
  secondProofNeeded: (text: Message) => new HttpError('secondProofNeeded', text),
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
  /** Nothing is broken; the server is only too busy. */
  busy: (text: Message, retryAfterSeconds: number) => new HttpError('busy', text, { retryAfterSeconds }),
} as const;
