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
export class Refusal extends Error {
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
    if (error instanceof Refusal) return error.text;
    throw error;
  }
}

/** One maker per kind: `throw refuse.notFound(messages.notFound)`. `invalid` also names the fields at fault. */
export const refuse = {
  invalid: (text: Message, fields: Readonly<Record<string, Message>> = {}) =>
    new Refusal('invalid', text, { fields }),
  unauthenticated: (text: Message) => new Refusal('unauthenticated', text),
  forbidden: (text: Message) => new Refusal('forbidden', text),
  /** The caller may, but must say once more who they are. */
  unproven: (text: Message) => new Refusal('unproven', text),
  /** The caller may, once they have set up a second proof. */
  secondProofNeeded: (text: Message) => new Refusal('secondProofNeeded', text),
  notFound: (text: Message) => new Refusal('notFound', text),
  conflict: (text: Message) => new Refusal('conflict', text),
  setByServer: (text: Message, fields: Readonly<Record<string, Message>>) =>
    new Refusal('conflict', text, { fields }),
  repeated: (text: Message, made: number | undefined) => new Refusal('conflict', text, { made }),
  countChanged: (text: Message, total: number) => new Refusal('conflict', text, { total }),
  tooLarge: (text: Message, fields: Readonly<Record<string, Message>> = {}) =>
    new Refusal('tooLarge', text, { fields }),
  unsupportedType: (text: Message) => new Refusal('unsupportedType', text),
  tooManyTries: (text: Message, retryAfterSeconds: number) =>
    new Refusal('tooManyTries', text, { retryAfterSeconds }),
  storageFull: (text: Message) => new Refusal('storageFull', text),
  unavailable: (text: Message, retryAfterSeconds: number) =>
    new Refusal('unavailable', text, { retryAfterSeconds }),
  /** Nothing is broken; the server is only too busy. */
  busy: (text: Message, retryAfterSeconds: number) => new Refusal('busy', text, { retryAfterSeconds }),
} as const;
