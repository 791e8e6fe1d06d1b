import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { errorCode } from '#shared/errors.ts';
import { type Config, ConfigError } from '../config.ts';
import { UpdateFailed } from '../db/database.ts';

const STOP_AFTER_MS = 10_000;
// A client that is still sending after this time never completed its request.
const CUT_SENDERS_AFTER_MS = 8_000;
// Connections that the system queues while the process is busy; the system may cap it lower.
const BACKLOG = 4_096;
/** How long a keep-alive connection may send one more request. A busy proxy reuses its connections within that time. */
const DRAIN_MS = 1_000;
const LOOK_EVERY_MS = 50;
const NO_ADDRESS: readonly string[] = ['EADDRNOTAVAIL', 'EAI_AGAIN', 'EINVAL', 'ENOTFOUND'];

/**
 * Listens on the configured host and port and returns the address. On failure closes the app and throws a
 * `ConfigError` that names the setting.
 */
export async function listen(app: FastifyInstance, config: Pick<Config, 'port' | 'host'>): Promise<string> {
  watchConnections(app);
  try {
    return await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  } catch (error) {
    await app.close();
    const code = errorCode(error) ?? '';
    if (code === 'EADDRINUSE') throw new ConfigError(`PORT: ${config.port} is in use by another program`);
    if (code === 'EACCES')
      throw new ConfigError(`PORT: ${config.port} needs permissions this user does not have`);
    if (NO_ADDRESS.includes(code))
      throw new ConfigError(`HOST: ${config.host} is not an address of this machine`);
    throw error;
  }
}

/**
 * Stops gracefully at the first signal: no new connections, `Connection: close` on the last reply of each open one, requests in
 * progress finish, the database closes. Further signals do nothing, because Ctrl-C arrives both from the terminal and from the
 * script that started this process. The server also stops when that script exits. `complain` receives errors during the stop.
 */
export function stopOnSignals(app: FastifyInstance, complain: (error: unknown) => void): void {
  const stop = createStop(app, complain);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  if (process.send === undefined) return;
  process.on('disconnect', stop);
  // The parent may have exited before the listener was added.
  if (!process.connected) stop();
}

function createStop(app: FastifyInstance, complain: (error: unknown) => void): () => void {
  const connections = watchConnections(app);
  return () => {
    if (connections.isDraining) return;
    connections.isDraining = true;
    // This timer also keeps the process alive while the database closes.
    setTimeout(() => process.exit(1), STOP_AFTER_MS);
    const closed = waitForDrain(app, connections).then(() => app.close());
    closed.then(
      () => process.exit(0),
      (error: unknown) => {
        complain(error);
        process.exit(1);
      },
    );
  };
}

// Close only the listening socket: closing idle connections would break responses that are being sent on
// them.
async function waitForDrain(app: FastifyInstance, { open }: Connections): Promise<void> {
  Server.prototype.close.call(app.server);
  const until = performance.now() + DRAIN_MS;
  while (open.size > 0 && performance.now() < until) await pause(LOOK_EVERY_MS);
}

/** Why a start failed, by what a person has to fix. */
type StartFailure = 'setting' | 'database' | 'update';

/** The message to `npm start` (scripts/keep-running.mjs), which restarts the server after a crash. */
type StarterMessage = Readonly<{ isReady: true } | { refused: StartFailure; why: string }>;

/** Notifies the script that started this server, if there is one. */
export function notifyStarter(message: StarterMessage): Promise<void> {
  return new Promise((resolve) => {
    // If the script has exited, the callback gets an error, which does not matter here.
    if (process.send && process.connected) process.send(message, () => resolve());
    else resolve();
  });
}

/** Exit code for a failure that a restart cannot fix, so that a service manager does not retry forever. */
const NEEDS_PERSON = 78;

/** Exits after a failed start. */
export async function exitFailedStart(error: Error): Promise<never> {
  const refused =
    error instanceof UpdateFailed ? 'update' : error instanceof ConfigError ? 'setting' : 'database';
  await notifyStarter({ refused, why: error.message });
  process.exit(refused === 'database' ? 1 : NEEDS_PERSON);
}

/**
 * Logs unhandled errors and continues. Node would exit and fail every request in progress because of an error in one of them.
 * Continuing is safe here: only caches and queues are in memory, everything else is in transactions.
 */
export function logUnhandledErrors(log: Logger): void {
  const logError = (error: unknown) => log.error({ err: error }, 'unhandled rejection');
  process.on('unhandledRejection', logError);
  process.on('uncaughtException', logError);
}

type Connections = { readonly open: Set<Socket>; isDraining: boolean };

const watched = new WeakMap<FastifyInstance, Connections>();

function watchConnections(app: FastifyInstance): Connections {
  const known = watched.get(app) ?? trackConnections(app);
  watched.set(app, known);
  return known;
}

// Keeps connections from delaying the stop. Browsers open spare connections, which Node counts as busy before
// their first request; a connection with a request in flight would be kept alive for the next; a client may
// send a body that never ends.
function trackConnections(app: FastifyInstance): Connections {
  const connections = { open: new Set<Socket>(), isDraining: false };
  const { open } = connections;
  // Connections without a request so far.
  const silent = new Set<Socket>();
  const sending = new Set<IncomingMessage>();
  const answering = new Set<ServerResponse>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    silent.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      silent.delete(socket);
    });
  });
  app.server.on('request', (request, response) => {
    silent.delete(request.socket);
    answering.add(response);
    response.once('close', () => answering.delete(response));
    if (request.complete) return;
    sending.add(request);
    // Listen on the request: the socket outlives its requests and would keep every one of them in memory.
    for (const over of ['end', 'error', 'close']) request.once(over, () => sending.delete(request));
  });
  // By the time of the response most bodies have arrived; at the start of the request they have not.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (connections.isDraining && request.raw.complete) reply.header('connection', 'close');
    else if (connections.isDraining) closeAfter(reply.raw);
    done(null, payload);
  });
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy();
    for (const response of answering) closeAfter(response);
    setTimeout(() => {
      for (const request of sending) request.socket.destroy();
    }, CUT_SENDERS_AFTER_MS).unref();
  });
  return connections;
}

function closeAfter(response: ServerResponse): void {
  // Node would close the connection at once, and the client's remaining upload would make it lose the
  // response.
  if (response.req.complete) response.shouldKeepAlive = false;
  // Once the headers are sent, the client expects keep-alive. The response drops its socket when it finishes.
  const { socket } = response;
  response.once('finish', () => socket?.end());
}
