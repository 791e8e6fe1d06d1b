import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type Config, ConfigError } from './config.ts';
import { UpdateFailed } from './db/connect.ts';
import type { Refused } from './processes/words.ts';

const STOP_AFTER_MS = 10_000;
// Whoever still sends a request then has asked for nothing yet.
const CUT_SENDERS_AFTER_MS = 8_000;
// How many connections the system keeps ready for a process that is busy; it may be set to keep fewer.
const BACKLOG = 4_096;
/** So long a leaving server lets a connection wait for its next request, and a request for its end: as long as any may take. */
const LEAVE_MS = { idle: 5_000, request: 120_000 } as const;
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
 * The first signal stops gracefully: requests in flight finish, the database closes. More of them change nothing: a
 * Ctrl-C reaches this process from the terminal and from the script that started it. The end of that script stops it
 * as well. `complain` gets what went wrong while stopping.
 */
export function stopOnSignals(app: FastifyInstance, complain: (error: unknown) => void): void {
  const stop = stopping(app, complain);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  stopWithStarter(stop);
}

/** The same for one process of several: only the one that started it stops it; signals of a terminal reach all of them. */
export function stopWhenTold(app: FastifyInstance, complain: (error: unknown) => void): void {
  const stop = stopping(app, complain);
  process.on('SIGTERM', stop);
  stopWithStarter(stop);
}

/** The signals that a terminal, or a service manager, sends to every process of a server at once. */
export function ignoreSignalsToAll(): void {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
}

/**
 * How to end a server whose connections others take over: it takes no new ones, answers what was asked, tells each
 * connection that it was the last answer on it, and then stops. Call it before the server is made ready.
 */
export function openLeave(app: FastifyInstance, complain: (error: unknown) => void): () => Promise<void> {
  const { open, silent } = watchConnections(app);
  let isLeaving = false;
  // By now most bodies have arrived; at the beginning of a request they have not.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isLeaving && request.raw.complete) reply.header('connection', 'close');
    else if (isLeaving) endWith(reply.raw);
    done(null, payload);
  });
  return async () => {
    isLeaving = true;
    // Only the socket that listens: the close of an HTTP server would also close idle connections, and break what is
    // just being sent on them.
    Server.prototype.close.call(app.server);
    const began = performance.now();
    const lasted = () => performance.now() - began;
    while (open.size > 0 && lasted() < LEAVE_MS.request) {
      await pause(LOOK_EVERY_MS);
      if (lasted() < LEAVE_MS.idle) continue;
      app.server.closeIdleConnections();
      for (const socket of silent) socket.destroy();
    }
    stopping(app, complain)();
  };
}

function stopWithStarter(stop: () => void): void {
  if (process.send === undefined) return;
  process.on('disconnect', stop);
  // It may have ended before anybody listened for that.
  if (!process.connected) stop();
}

function stopping(app: FastifyInstance, complain: (error: unknown) => void): () => void {
  let isStopping = false;
  return () => {
    if (isStopping) return;
    isStopping = true;
    // It also keeps the process running until then, whatever the database waits for.
    setTimeout(() => process.exit(1), STOP_AFTER_MS);
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        complain(error);
        process.exit(1);
      },
    );
  };
}

/** What `npm start` hears from the server, which it starts again after a crash: scripts/keep-running.mjs. */
type Told = Readonly<{ isReady: true } | { refused: Refused; why: string }>;

/** Tells the script that started this server, where one did. */
export function tellStarter(words: Told): Promise<void> {
  return new Promise((resolve) => {
    // A script that is gone needs no words: the callback gets an error then.
    if (process.send && process.connected) process.send(words, () => resolve());
    else resolve();
  });
}

/** The exit code of a start that only a person can help: a service manager must not try it again and again. */
const FOR_A_PERSON = 78;

/** Ends the process of a start that was refused. */
export async function endRefusedStart(error: Error): Promise<never> {
  const refused = error instanceof ConfigError ? 'setting' : 'database';
  return endRefused(error instanceof UpdateFailed ? 'update' : refused, error.message);
}

/** The same, where another process knows why. */
export async function endRefused(refused: Refused, why: string): Promise<never> {
  await tellStarter({ refused, why });
  process.exit(refused === 'database' ? 1 : FOR_A_PERSON);
}

/**
 * Logs a failure that nobody waited for and goes on. Node would end the process, and with it everybody's requests, for
 * what concerns one of them; the state that is kept in memory is caches and queues, and all else is in transactions.
 */
export function outliveFaults(log: Logger): void {
  const note = (error: unknown) => log.error({ err: error }, 'a failure that nobody waited for');
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
}

type Connections = Readonly<{
  open: Set<Socket>;
  /** Those that have asked for nothing yet. */
  silent: Set<Socket>;
}>;

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
  const open = new Set<Socket>();
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
  app.addHook('preClose', async () => {
    for (const socket of silent) socket.destroy();
    for (const response of answering) endWith(response);
    setTimeout(() => {
      for (const request of sending) request.socket.destroy();
    }, CUT_SENDERS_AFTER_MS).unref();
  });
  return { open, silent };
}

function endWith(response: ServerResponse): void {
  // Node closes such a connection at once, and what the client still sends would then take the answer from it.
  if (response.req.complete) response.shouldKeepAlive = false;
  // When the headers are out already, the client was told to keep it. The response forgets its socket at its end.
  const { socket } = response;
  response.once('finish', () => socket?.end());
}
