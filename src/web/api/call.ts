import { commonMessages } from '#shared/common-messages.ts';
import type { Endpoint, EndpointParts, SchemaInput, SchemaOutput } from '#shared/endpoint.ts';
import type { Message } from '#shared/i18n/message.ts';
import { say } from '../i18n/translate.ts';
import { reportConnectivity } from './connectivity.ts';
import { noteStorage } from './disk-full.ts';
import { takePrefetchedCall } from './prefetched-calls.ts';
import { deviceKey, randomKey } from './random-key.ts';
import { requestRecentAuth } from './re-authentication.ts';
import { sendWithRetry } from './retry.ts';
import { dropToken, getToken } from './session.ts';

/**
 * A request that failed. `message` and `fields` are texts for the user; status 0 means that there was no response.
 * `isAnswered` is true if the message comes from the server (or reports a missing network) rather than being a
 * fallback.
 */
export class CallError extends Error {
  readonly status: number;
  readonly isAnswered: boolean;
  readonly fields: Readonly<Record<string, string>>;
  /** Whether the response was readable JSON; a proxy's error page is not. */
  readonly isReadable: boolean;
  /** Whether the call requires recent authentication first. */
  needsReauthentication = false;
  /** The id of what an earlier call with the same Idempotency-Key created. */
  made: number | undefined;

  constructor(
    status: number,
    message: string,
    isAnswered: boolean,
    fields: Readonly<Record<string, string>> = {},
    isReadable = true,
  ) {
    super(message);
    this.name = 'CallError';
    this.status = status;
    this.isAnswered = isAnswered;
    this.fields = fields;
    this.isReadable = isReadable;
  }
}

/** Returns the message for a failure: the server's own, or this screen's fallback ('Login failed'). */
export function failureText(error: unknown, otherwise: Message = commonMessages.requestFailed): string {
  return error instanceof CallError && error.isAnswered ? error.message : say(otherwise);
}

/** Returns the message for something that could not be loaded, and the reason if known. */
export function loadingFailure(error: unknown, what: Message): { text: string; detail: string | undefined } {
  return withReason(say(what), error);
}

/** Like `loadingFailure`, for a text that is already translated. */
export function withReason(text: string, error: unknown): { text: string; detail: string | undefined } {
  const reason = error instanceof CallError && error.isAnswered ? error.message : undefined;
  return { text, detail: reason === text ? undefined : reason };
}

/**
 * Whether the server rejected the request itself. No response, too many requests or a server error doesn't mean that a
 * token or link is invalid.
 */
export function isRejected(error: unknown): boolean {
  return error instanceof CallError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

type Part<Parts extends EndpointParts, Name extends 'params' | 'query' | 'body'> = Parts[Name] extends object
  ? undefined extends SchemaInput<Parts[Name]>
    ? { [N in Name]?: SchemaInput<Parts[N]> }
    : { [N in Name]: SchemaInput<Parts[N]> }
  : unknown;

type CallOptions = {
  idempotencyKey?: string;
  /** The version the user saw. The server rejects the change if its version differs. */
  version?: number | undefined;
  signal?: AbortSignal;
  /** The token of the session the call belongs to, even if another user signs in meanwhile. */
  token?: string | undefined;
  /** Sends the request even if the user closes or reloads the page. */
  keepalive?: boolean;
};

type Input<Parts extends EndpointParts> = Part<Parts, 'params'> &
  Part<Parts, 'query'> &
  Part<Parts, 'body'> &
  CallOptions;

type Sent = CallOptions & {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
};

/** The arguments of a call; none if the endpoint takes none. */
export type CallArguments<Parts extends EndpointParts> =
  object extends Input<Parts> ? [input?: Input<Parts>] : [input: Input<Parts>];

/**
 * Sends a request: `call(updateTimeEntry, { params: { id }, body })` returns the endpoint's reply or throws a
 * CallError.
 */
export async function call<Parts extends EndpointParts>(
  endpoint: Endpoint<Parts>,
  ...given: CallArguments<Parts>
): Promise<SchemaOutput<Parts['reply']>> {
  const response = await answer(endpoint, ...given);
  // The server already validates replies against the endpoint's schema; doing it again here would only cost time.
  return (response.status === 204 ? undefined : await json(response)) as SchemaOutput<Parts['reply']>;
}

/** Like `call`, for a response that is not JSON, such as a file. The body is still unread. */
export async function answer<Parts extends EndpointParts>(
  endpoint: Endpoint<Parts>,
  ...[input]: CallArguments<Parts>
): Promise<Response> {
  const { params = {}, query = {}, body, idempotencyKey, version, signal, ...others }: Sent = input ?? {};
  const text = body === undefined ? undefined : JSON.stringify(body);
  const submit =
    endpoint.parts.status === 201 ? `${address(endpoint.path, params, query)} ${text}` : undefined;
  const key = idempotencyKey ?? (submit === undefined ? undefined : keyOf(submit));

  const token = others.token ?? getToken();
  const isReading = endpoint.method === 'GET' && endpoint.parts.file !== true;
  const request: RequestInit = {
    method: endpoint.method,
    headers: {
      accept: endpoint.parts.file === true ? '*/*' : 'application/json',
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(SIGNS_IN.has(endpoint.path) ? { 'x-device-key': deviceKey() } : {}),
      ...(version === undefined ? {} : { 'if-match': `"${version}"` }),
    },
    ...(text === undefined ? {} : { body: text }),
    ...(signal === undefined ? {} : { signal }),
    keepalive: others.keepalive ?? false,
  };
  const sendOnce = () => send(address(endpoint.path, params, query), request);
  const mayRepeat = isReading || endpoint.parts.isRepeatable === true;
  const response = await (mayRepeat ? sendWithRetry(sendOnce, signal) : sendOnce());
  if (submit !== undefined && isFinal(response.status)) keys.delete(submit);
  if (!response.ok) {
    if (response.status === 401 && token !== null) dropToken(token);
    const callError = await toCallError(response);
    if (!callError.needsReauthentication) throw callError;
    // Sends the same request again, so nothing typed is lost.
    if (await requestRecentAuth()) return answer(endpoint, ...([input] as CallArguments<Parts>));
    throw new CallError(403, say(commonMessages.notConfirmed), true);
  }
  return response;
}

/** Returns the URL of an endpoint with path parameters and query. */
export function address(
  path: string,
  params: Record<string, unknown>,
  query: Record<string, unknown> = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value));
  }
  return `/api${filled}${search.size === 0 ? '' : `?${search}`}`;
}

async function send(url: string, request: RequestInit): Promise<Response> {
  try {
    const response = await (takePrefetchedCall(url, request) ?? fetch(url, request));
    reportConnectivity(true);
    noteStorage(response);
    return response;
  } catch (error) {
    if (request.signal?.aborted === true) throw error;
    reportConnectivity(false);
    throw new CallError(0, say(commonMessages.networkError), true);
  }
}

async function json(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new CallError(response.status, say(commonMessages.requestFailed), false, {}, false);
  }
}

async function toCallError(response: Response): Promise<CallError> {
  return callErrorFrom(response.status, await response.json().catch(() => undefined));
}

/**
 * Returns the error for a failed request. `answer` is the response's JSON, or undefined if it is not JSON. Its shape
 * may be anything.
 */
export function callErrorFrom(status: number, answer: unknown): CallError {
  const {
    error,
    fields,
    requestId,
    fresh,
    made,
  }: { error?: unknown; fields?: unknown; requestId?: unknown; fresh?: unknown; made?: unknown } =
    typeof answer === 'object' && answer !== null ? answer : {};
  const isAnswered = typeof error === 'string' && error !== '';
  const message = isAnswered ? error : say(commonMessages.requestFailed);
  const callError = new CallError(
    status,
    // The user can quote the id in a report, and an operator finds it in the log.
    typeof requestId === 'string' ? `${message} (${requestId.slice(0, REQUEST_ID_LENGTH)})` : message,
    isAnswered,
    typeof fields === 'object' && fields !== null ? (fields as Record<string, string>) : {},
    answer !== undefined,
  );
  if (typeof made === 'number') callError.made = made;
  callError.needsReauthentication = status === 403 && fresh === true;
  return callError;
}

const REQUEST_ID_LENGTH = 8;

// The calls that sign in. They send the device key.
const SIGNS_IN = new Set([
  '/auth/login',
  '/auth/sign-in-link',
  '/auth/sign-in-link/open',
  '/auth/register',
  '/auth/passkey',
  '/auth/second-factor/passkey',
  '/auth/reset-password',
  '/auth/oidc/exchange',
  '/auth/oidc/link',
  '/auth/second-factor',
]);

// A create request without a final response may have been stored. Submitting the same data again sends the same key, so
// the server returns the first result instead of storing a second one.
const keys = new Map<string, string>();

function keyOf(submit: string): string {
  const key = keys.get(submit) ?? randomKey();
  keys.set(submit, key);
  return key;
}

function isFinal(status: number): boolean {
  return status < 500 && status !== 429;
}
