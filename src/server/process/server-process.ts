import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type Config, ConfigError } from '../config.ts';
import { UpdateFailed } from '../db/database.ts';

const STOP_AFTER_MS = 10_000;
// Whoever still sends a request then has asked for nothing yet.
const CUT_SENDERS_AFTER_MS = 8_000;
// How many connections the system keeps ready for a process that is busy; it may be set to keep fewer.
const BACKLOG = 4_096;
/** So long a kept connection may bring one more request: a proxy reuses its connections within that when it has much to send. */
const DRAIN_MS = 1_000;
const LOOK_EVERY_MS = 50;
const NO_ADDRESS: readonly string[] = ['EADDRNOTAVAIL', 'EAI_AGAIN', 'EINVAL', 'ENOTFOUND'];

/**
 * Listens where the settings say and answers the address. Throws `ConfigError` with the setting at fault when it
 * cannot; the app is closed then.
 */
export async function listen(app: FastifyInstance, config: Pick<Config, 'port' | 'host'>): Promise<string> {
  watchConnections(app);
  try {
    return await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  } catch (error) {
    await app.close();
    if (error instanceof Error && 'code' in error) {
      if (error.code === 'EADDRINUSE')
        throw new ConfigError(`PORT: ${config.port} is in use by another program`);
      if (error.code === 'EACCES')
        throw new ConfigError(`PORT: ${config.port} needs rights this user does not have`);
      if (NO_ADDRESS.includes(String(error.code))) {
        throw new ConfigError(`HOST: ${config.host} is not an address of this machine`);
      }
    }
    throw error;
  }
}

/**
 * The first signal stops gracefully: no connection is taken any more, each one that is kept gets its last answer with
 * `Connection: close`, requests in flight finish, the database closes. More signals change nothing: a Ctrl-C reaches
 * this process from the terminal and from the script that started it. The end of that script stops it as well.
 * `complain` gets what went wrong while stopping.
 */
export function stopOnSignals(app: FastifyInstance, complain: (error: unknown) => void): void {
  const stop = stopping(app, complain);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  if (process.send === undefined) return;
  process.on('disconnect', stop);
  // It may have ended before anybody listened for that.
  if (!process.connected) stop();
}

function stopping(app: FastifyInstance, complain: (error: unknown) => void): () => void {
  const connections = watchConnections(app);
  return () => {
    if (connections.isDraining) return;
    connections.isDraining = true;
    // It also keeps the process running until then, whatever the database waits for.
    setTimeout(() => process.exit(1), STOP_AFTER_MS);
    const closed = drained(app, connections).then(() => app.close());
    closed.then(
      () => process.exit(0),
      (error: unknown) => {
        complain(error);
        process.exit(1);
      },
    );
  };
}

// Only the socket that listens is closed: to close idle connections would break what is just being sent on them.
async function drained(app: FastifyInstance, { open }: Connections): Promise<void> {
  Server.prototype.close.call(app.server);
  const until = performance.now() + DRAIN_MS;
  while (open.size > 0 && performance.now() < until) await pause(LOOK_EVERY_MS);
}

/** Why a start was refused: what a person must mend. */
type Refused = 'setting' | 'database' | 'update';

/** What `npm start` hears from the server, which it starts again after a crash: scripts/keep-running.mjs. */
type Told = Readonly<{ isReady: true } | { refused: Refused; why: string }>;

/** Tells the script that started this server, where one did. */
export function notifyStarter(words: Told): Promise<void> {
  return new Promise((resolve) => {
    // A script that is gone needs no words: the callback gets an error then.
    if (process.send && process.connected) process.send(words, () => resolve());
    else resolve();
  });
}

/** The exit code of a start that only a person can help: a service manager must not try it again and again. */
const FOR_A_PERSON = 78;

/** Ends the process of a start that was refused. */
export async function exitFailedStart(error: Error): Promise<never> {
  const refused =
    error instanceof UpdateFailed ? 'update' : error instanceof ConfigError ? 'setting' : 'database';
  await notifyStarter({ refused, why: error.message });
  process.exit(refused === 'database' ? 1 : FOR_A_PERSON);
}

/**
 * Logs a failure that nobody waited for and goes on. Node would end the process, and with it everybody's requests, for
 * what concerns one of them; the state that is kept in memory is caches and queues, and all else is in transactions.
 */
export function logUnhandledErrors(log: Logger): void {
  const note = (error: unknown) => log.error({ err: error }, 'a failure that nobody waited for');
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
}

type Connections = { readonly open: Set<Socket>; isDraining: boolean };

const watched = new WeakMap<FastifyInstance, Connections>();

function watchConnections(app: FastifyInstance): Connections {
  const known = watched.get(app) ?? letGoOfConnections(app);
  watched.set(app, known);
  return known;
}

// What keeps connections from holding up the stop. A browser opens some ahead of need, and Node counts one that has
// asked for nothing yet as busy; one whose request was in flight would be kept alive for the next; one may send a body
// that never ends.
function letGoOfConnections(app: FastifyInstance): Connections {
  const connections = { open: new Set<Socket>(), isDraining: false };
  const { open } = connections;
  // Those that have asked for nothing yet.
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
    // Not heard on the socket, which outlives its requests and would keep every one of them.
    for (const over of ['end', 'error', 'close']) request.once(over, () => sending.delete(request));
  });
  // By now most bodies have arrived; at the beginning of a request they have not.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (connections.isDraining && request.raw.complete) reply.header('connection', 'close');
    else if (connections.isDraining) endWith(reply.raw);
    done(null, payload);
  });
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy();
    for (const response of answering) endWith(response);
    setTimeout(() => {
      for (const request of sending) request.socket.destroy();
    }, CUT_SENDERS_AFTER_MS).unref();
  });
  return connections;
}

function endWith(response: ServerResponse): void {
  // Node closes such a connection at once, and what the client still sends would then take the answer from it.
  if (response.req.complete) response.shouldKeepAlive = false;
  // When the headers are out already, the client was told to keep it. The response forgets its socket at its end.
  const { socket } = response;
  response.once('finish', () => socket?.end());
}
