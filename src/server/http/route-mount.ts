import type { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import * as z from 'zod';
import { commonMessages } from '#shared/common-messages.ts';
import { TRANSLATIONS } from '#shared/content-translations.ts';
import type { Endpoint, EndpointParts, SchemaOutput } from '#shared/endpoint.ts';
import { errors } from '#shared/errors.ts';
import { type Message, readMessage } from '#shared/i18n/message.ts';
import type { Capability } from '#shared/permissions.ts';
import { databaseFailure } from '../db/database-errors.ts';
import type { Deps } from '../deps.ts';
import { translate } from '../i18n/translator.ts';
import { type Limit, openLimit } from '../process/limit.ts';
import { newToken } from '../secrets.ts';
import { openAccessDenials } from './access-denied-log.ts';
import { blanksAsNull, makeStorable, withoutBlanks } from './blank-fields.ts';
import { browserKeyCookie, browserKeyIn } from './browser-cookie.ts';
import { addressOf } from './client-address.ts';
import { createRunIdempotent, type RunIdempotent } from './idempotency.ts';
import { type UploadedFile, withFiles } from './multipart.ts';
import type { MountedEndpoint } from './openapi.ts';
import { overloadError, SIGN_IN_PATHS } from './overload.ts';
import { type ReplyFilter, replyFilter } from './reply-filter.ts';
import { setViewerLocale } from './request-language.ts';
import {
  asViewer,
  type Request,
  requireRecentAuth,
  type SignedIn,
  scopeFor,
  scopeOfMemberOr,
  type Viewer,
} from './viewer.ts';

/**
 * Who may call a route: everyone; signed-in users, for the schools they joined; users with a capability, for the schools where
 * they have it; or members of a school and users with a capability there.
 */
export type RoutePermission = 'public' | 'signedIn' | Capability | MemberGate;

const MEMBER = 'member or ';
type MemberGate = `${typeof MEMBER}${Capability}`;

/** The permission for members of a school and for users with a capability there. */
export function memberOr<C extends Capability>(capability: C): `${typeof MEMBER}${C}` {
  return `${MEMBER}${capability}`;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    gate?: RoutePermission;
  }
  interface FastifyInstance {
    /** Every mounted endpoint, for the OpenAPI document. */
    mountedEndpoints: MountedEndpoint[];
  }
}

/** A request as a handler receives it: parsed by the endpoint's schemas, and authorized. */
export type Call<Parts extends EndpointParts, G extends RoutePermission> = Readonly<{
  params: SchemaOutput<Parts['params']>;
  query: SchemaOutput<Parts['query']>;
  body: SchemaOutput<Parts['body']>;
  viewer: G extends 'public' ? undefined : Viewer;
  /** The files of a multipart body; empty if the endpoint accepts none. */
  files: readonly UploadedFile[];
  /** A folder for the call's files, removed after the reply; only for endpoints that accept files. */
  folder: string | undefined;
  request: Request;
  /** The version that the caller has seen (If-Match header), if sent. */
  ifMatch: number | undefined;
  once: RunIdempotent;
  /** Aborts when the caller disconnects before the response is complete. */
  gone: AbortSignal;
  /** Makes the reply a 202: accepted, but takes effect only when the recipient opens an emailed link. */
  accepted: () => void;
  /** Makes the reply a 200, because it is only a preview of the records to create. */
  previewed: () => void;
  /** Returns the browser's cookie key, valid for 15 minutes; creates one if it has none. */
  keepBrowserKey: () => string;
}>;

/**
 * A file reply. `content` may be streamed; `name` is the file name to save it under, in plain ASCII. A file with `shown` is
 * displayed by the product's own pages, and the browser may cache it for `keptSeconds`, varying by a request header
 * (`variesBy`). With `isPublic` proxies may cache it too, because the file never changes.
 */
export type FileAnswer = Readonly<{
  name: string;
  type: string;
  content: string | Buffer | Readable;
  bytes?: number;
  shown?: Readonly<{ keptSeconds: number; isPublic?: true; variesBy?: 'accept' }>;
}>;

/** Finds the user of a bearer token; provided by the auth feature. */
export type FindViewer = (token: string, request: Request) => Promise<SignedIn | undefined>;

/** The function with which features mount their endpoints. */
export type Mount = <Parts extends EndpointParts, G extends RoutePermission>(
  endpoint: Endpoint<Parts>,
  gate: G,
  handle: (
    call: Call<Parts, G>,
  ) => Promise<
    Parts extends { file: true }
      ? FileAnswer
      : Parts['reply'] extends z.core.$ZodType
        ? SchemaOutput<Parts['reply']>
        : void
  >,
) => void;

/** The header that identifies a browser at sign-in; it grants no access. */
const DEVICE_HEADER = 'x-device-key';
const DEVICE_PATTERN = /^[A-Za-z0-9_-]{20,100}$/;
// The limit for calls of one endpoint, less than half of the connection pool. If the database delays one endpoint, for example
// because a table is locked, other endpoints still get connections.
const OF_ONE_ENDPOINT = { atOnce: 4, waiting: 300, waitMs: 5_000 } as const;

const FULL_RETRY_SECONDS = 30;

const KEY_PATTERN = /^[\x21-\x7e]{1,200}$/;

// Long because it lists the steps of a request in order.
/** Creates the `mount` of an app: it turns endpoint values into routes under /api, each with its permission. */
export function createMount(
  app: FastifyInstance,
  deps: Deps,
  findViewer: FindViewer,
  isReplyChecked: boolean,
): Mount {
  const accessDenials = openAccessDenials(deps);
  app.decorate('mountedEndpoints', []);
  return (endpoint, gate, handle) => {
    app.mountedEndpoints.push({ endpoint, gate });
    const { reply: schema, files } = endpoint.parts;
    const pass = authorizer(gate);
    // Fields outside the contract are never sent.
    const filterReply = schema === undefined ? undefined : replyFilter(schema, isReplyChecked);
    // Not on SQLite, which has one connection that never waits.
    const isLimited = deps.database.engine === 'postgres' && !isLongCall(endpoint);
    const limit = isLimited ? openLimit(OF_ONE_ENDPOINT, overloadError) : undefined;
    const reserve = deps.database.engine === 'sqlite' ? reserveUse(endpoint) : 'ignore';
    app.route({
      method: endpoint.method,
      url: `/api${endpoint.path}`,
      config: { gate, isLong: isLongCall(endpoint) },
      // A HEAD request must not use up a single-use link.
      ...(endpoint.parts.file === true ? { exposeHeadRoute: false } : {}),
      ...(endpoint.parts.bodyBytes === undefined ? {} : { bodyLimit: endpoint.parts.bodyBytes }),
      handler: withLimit(limit, async (incoming, reply) => {
        const request = requestOf(deps, incoming);
        const identified = async () => {
          const found = await identify(gate, incoming, request, findViewer);
          if (endpoint.parts.isForSettingUp !== true) requireSetUp(found);
          return found;
        };
        const person = await identified();
        if (person !== undefined) setViewerLocale(incoming, deps, person);
        const attempt = { endpoint, incoming, viewer: person, request };
        await accessDenials.recordClaims(attempt);
        try {
          const authorize = (found: SignedIn | undefined) => {
            const viewer = found && pass(found);
            if (viewer !== undefined && endpoint.parts.freshProof === 'always')
              requireRecentAuth(viewer, request);
            return viewer;
          };
          const first = authorize(person);
          const params = parse(endpoint.parts.params, incoming.params);
          const query = parse(endpoint.parts.query, withoutBlanks(incoming.query));
          let status = endpoint.parts.status ?? 200;
          const work = async ({ given, files: received, folder }: Body) => {
            // Check again, because an upload may take minutes, during which permissions may be revoked.
            const viewer = files === undefined ? first : authorize(await identified());
            const body = parse(endpoint.parts.body, blanksIn(endpoint, given));
            if (endpoint.method === 'PUT') requireChange(body);
            const call = {
              params,
              query,
              body,
              files: received,
              folder,
              viewer,
              request,
              ifMatch: ifMatchVersion(incoming.headers['if-match']),
              get once() {
                return createRunIdempotent(deps, {
                  owner: viewer === undefined ? endpoint.path : `user:${viewer.userId}`,
                  key: idempotencyKey(incoming),
                  content: () => requestContent(endpoint, incoming, given, received),
                  request,
                  requireProof: () => viewer && requireRecentAuth(viewer, request),
                });
              },
              accepted: () => {
                status = 202;
              },
              previewed: () => {
                status = 200;
              },
              keepBrowserKey: () => {
                const key = request.browserKey ?? newToken();
                reply.header('set-cookie', browserKeyCookie(deps, key));
                return key;
              },
              get gone() {
                return goneSignal(reply);
              },
            };
            // The endpoint's schemas parsed these parts, which the type cannot express.
            return handle(call as unknown as Parameters<typeof handle>[0]);
          };
          const run = () =>
            files === undefined
              ? work(jsonBody(incoming))
              : withFiles(incoming, files, deps.config.dataDir, ({ fields, ...received }) =>
                  work({ given: fields, ...received }),
                );
          if (reserve === 'rejectWhenFull') requireFreeDisk(deps);
          const answer = await (reserve === 'mayUse' ? withReserve(deps, run) : run());
          return send(endpoint, filterReply, reply.code(status), answer);
        } catch (error) {
          await accessDenials.recordError(attempt, error);
          throw error;
        }
      }),
    });
  };
}

type Handler = (incoming: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function withLimit(limit: Limit | undefined, handler: Handler): Handler {
  if (limit === undefined) return handler;
  return (incoming, reply) => limit.run('', () => handler(incoming, reply));
}

/**
 * Makes the start fail if a route has no permission. Returns the methods of each API path, complete once all
 * routes are added.
 */
export function checkRoutePermissions(app: FastifyInstance): ReadonlyMap<string, ReadonlySet<string>> {
  const methodsByPath = new Map<string, Set<string>>();
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
    if (!route.url.startsWith('/api/')) return;
    methodsByPath.set(
      route.url,
      new Set([...(methodsByPath.get(route.url) ?? []), ...[route.method].flat()]),
    );
  });
  // Checked at the end, because the routes of a plugin get their permission from its scope.
  app.addHook('onReady', async () => {
    const open = routes.find((route) => route.config?.gate === undefined);
    if (open === undefined) return;
    throw new Error(`${[open.method].flat().join(', ')} ${open.url} does not say who may call it`);
  });
  return methodsByPath;
}

/** Registers a 405 for the unsupported methods of every path mounted so far. Call after all features. */
export function rejectOtherMethods(
  app: FastifyInstance,
  deps: Deps,
  routes: ReadonlyMap<string, ReadonlySet<string>>,
): void {
  for (const [url, methods] of [...routes]) {
    const others = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].filter((method) => !methods.has(method));
    app.route({
      method: others,
      url,
      config: { gate: 'public' },
      handler: (_request, reply) => {
        reply.header('allow', [...methods].join(', '));
        return reply.code(405).send({ error: translate(deps, commonMessages.methodNotAllowed) });
      },
    });
  }
}

async function identify(
  gate: RoutePermission,
  incoming: FastifyRequest,
  request: Request,
  findViewer: FindViewer,
): Promise<SignedIn | undefined> {
  if (gate === 'public') return undefined;
  const token = bearerToken(incoming);
  const viewer = token === undefined ? undefined : await findViewer(token, request);
  if (viewer === undefined) throw errors.unauthenticated(commonMessages.authenticationRequired);
  return viewer;
}

/** Whether a request requires looking up its session, and with it the district's settings. */
export function requiresSession(incoming: FastifyRequest): boolean {
  const { gate } = incoming.routeOptions.config;
  return gate !== undefined && gate !== 'public' && bearerToken(incoming) !== undefined;
}

function bearerToken({ headers }: FastifyRequest): string | undefined {
  return /^Bearer ([A-Za-z0-9_-]{20,200})$/i.exec(headers.authorization ?? '')?.[1];
}

function requireSetUp(person: SignedIn | undefined): void {
  if (person?.setUpFirst !== undefined) throw errors.twoFactorNeeded(person.setUpFirst);
}

// A change without any known field is a client error, not a success.
function requireChange(body: unknown): void {
  if (typeof body === 'object' && body !== null && Object.keys(body).length === 0) {
    throw errors.invalid(commonMessages.nothingNamed);
  }
}

// Checks a permission and returns the viewer with the allowed schools; throws 403 if there are none.
function authorizer(gate: RoutePermission): (person: SignedIn) => Viewer {
  if (gate === 'public' || gate === 'signedIn') return asViewer;
  if (isMemberGate(gate)) {
    const capability = gate.slice(MEMBER.length) as Capability;
    return (person) => ({ ...person, schools: scopeOfMemberOr(person, capability) });
  }
  return (person) => {
    const schools = scopeFor(person, gate);
    if (schools.length === 0) throw errors.forbidden(commonMessages.adminRequired);
    return { ...person, schools };
  };
}

function isMemberGate(gate: RoutePermission): gate is MemberGate {
  return gate.startsWith(MEMBER);
}

// Calls that wait for a file transfer or another server.
function isLongCall({ parts }: Endpoint): boolean {
  return parts.files !== undefined || parts.file === true || parts.isLong === true;
}

function goneSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  if (raw.closed) gone.abort();
  return gone.signal;
}

function blanksIn({ parts }: Endpoint, given: unknown): unknown {
  if (parts.files !== undefined) return withoutBlanks(given);
  return parts.body === undefined ? given : blanksAsNull(parts.body, given);
}

/**
 * How requests use a full disk. Deletions may use the reserved space, and so may sign-ins, which deletions need. Reads need no
 * space. Other writes are rejected until there is space again.
 */
function reserveUse({ method, path }: Endpoint): 'mayUse' | 'rejectWhenFull' | 'ignore' {
  if (method === 'DELETE' || SIGN_IN_PATHS.includes(path)) return 'mayUse';
  return method === 'GET' ? 'ignore' : 'rejectWhenFull';
}

function requireFreeDisk({ diskReserve }: Deps): void {
  if (diskReserve.isReleased()) throw errors.unavailable(commonMessages.diskFull, FULL_RETRY_SECONDS);
}

async function withReserve<Answer>({ diskReserve }: Deps, run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run();
  } catch (error) {
    if (databaseFailure(error) !== 'full' || !diskReserve.release()) throw error;
    return run();
  }
}

type Body = Readonly<{ given: unknown; files: readonly UploadedFile[]; folder: string | undefined }>;

// A JSON body is parsed by now; a multipart one is read after authorization, and its files exist while the
// handler runs.
function jsonBody(incoming: FastifyRequest): Body {
  if (incoming.isMultipart()) throw errors.unsupportedType(commonMessages.unsupportedType);
  return { given: incoming.body ?? {}, files: [], folder: undefined };
}

function requestContent(
  endpoint: Endpoint,
  incoming: FastifyRequest,
  given: unknown,
  files: readonly UploadedFile[],
): string {
  const call = `${endpoint.method} ${incoming.url}`;
  if (endpoint.parts.files === undefined) return `${call} ${JSON.stringify(incoming.body)}`;
  return `${call} ${JSON.stringify([given, files.map((file) => [file.name, file.sha256])])}`;
}

function parse(schema: z.core.$ZodType | undefined, given: unknown): unknown {
  if (schema === undefined) return undefined;
  const outcome = z.safeParse(schema, makeStorable(given));
  if (outcome.success) return outcome.data;
  const fields: Record<string, Message> = {};
  for (const issue of outcome.error.issues) {
    const field = fieldName(issue.path);
    if (field === undefined) throw errors.invalid(commonMessages.invalidBody);
    fields[field] ??= asMessage(issue.message);
  }
  const [first = commonMessages.invalidRequest] = Object.values(fields);
  throw errors.invalid(first, fields);
}

// Names a row's field with its row ('entries.3.hours'), a translation with its language ('translations.es')
// and a plain list by its own name ('schoolIds').
function fieldName([field, ...within]: readonly PropertyKey[]): string | undefined {
  if (field === undefined) return undefined;
  const isWhole = within.length > 1 || field === TRANSLATIONS;
  return isWhole ? [field, ...within].map(String).join('.') : String(field);
}

// A schema without its own message (such as a flag) has only the library's text.
function asMessage(message: string): Message {
  return readMessage(message) === undefined ? commonMessages.invalidRequest : (message as Message);
}

function send(
  endpoint: Endpoint,
  filterReply: ReplyFilter | undefined,
  reply: FastifyReply,
  answer: unknown,
) {
  if (endpoint.parts.file === true) return sendFile(reply, answer as FileAnswer);
  return filterReply === undefined ? reply.send() : reply.send(filterReply(answer));
}

function sendFile(reply: FastifyReply, { name, type, content, bytes, shown }: FileAnswer) {
  reply
    .type(type)
    .header('content-disposition', `${shown === undefined ? 'attachment' : 'inline'}; filename="${name}"`);
  if (bytes !== undefined) reply.header('content-length', bytes);
  if (shown !== undefined) {
    reply
      .header(
        'cache-control',
        shown.isPublic === true
          ? `public, max-age=${shown.keptSeconds}, immutable`
          : `private, max-age=${shown.keptSeconds}`,
      )
      .header('cross-origin-resource-policy', 'same-origin');
    if (shown.variesBy !== undefined) reply.header('vary', shown.variesBy);
  }
  return reply.send(content);
}

/** Returns the request as the audit log and the rate limits need it. */
export function requestOf(deps: Deps, incoming: FastifyRequest): Request {
  const device = incoming.headers[DEVICE_HEADER];
  const browserKey = browserKeyIn(deps, incoming.headers.cookie);
  const bearer = bearerToken(incoming);
  return {
    at: deps.clock.now(),
    address: addressOf(incoming),
    requestId: incoming.id,
    agent: (incoming.headers['user-agent'] ?? '').slice(0, 300),
    accept: incoming.headers.accept ?? '',
    ...(isDeviceKey(device) ? { device } : {}),
    ...(browserKey === undefined ? {} : { browserKey }),
    ...(bearer === undefined ? {} : { bearer }),
  };
}

function isDeviceKey(header: unknown): header is string {
  return typeof header === 'string' && DEVICE_PATTERN.test(header);
}

function idempotencyKey(incoming: FastifyRequest): string | undefined {
  const key = incoming.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !KEY_PATTERN.test(key)) throw errors.invalid(commonMessages.invalidRequest);
  return key;
}

function ifMatchVersion(header: string | undefined): number | undefined {
  const [, version] = /^(?:W\/)?"?(\d{1,15})"?$/.exec(header ?? '') ?? [];
  return version === undefined ? undefined : Number(version);
}
