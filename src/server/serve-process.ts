import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type Config, ConfigError } from './config.ts';
import { UpdateFailed } from './db/connect.ts';

const STOP_AFTER_MS = 10_000;
// Whoever still sends a request then has asked for nothing yet.
const CUT_SENDERS_AFTER_MS = 8_000;
// How many connections the system keeps ready for a process that is busy; it may be set to keep fewer.
const BACKLOG = 4_096;
const NO_ADDRESS: readonly string[] = ['EADDRNOTAVAIL', 'EAI_AGAIN', 'EINVAL', 'ENOTFOUND'];

/**
 * Listens where the settings say and answers the address. Throws `ConfigError` with the setting at fault when it
 * cannot; the app is closed then.
 */
export async function listen(app: FastifyInstance, config: Pick<Config, 'port' | 'host'>): Promise<string> {
  letGoOfConnections(app);
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
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_AFTER_MS).unref();
    app.close().then(
      () => process.exit(0),
      (error: unknown) => {
        complain(error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  if (process.send === undefined) return;
  process.on('disconnect', stop);
  // It may have ended before anybody listened for that.
  if (!process.connected) stop();
}

/** What `npm start` hears from the server, which it starts again after a crash: scripts/keep-running.mjs. */
type Told = { isReady: true } | { refused: 'setting' | 'database' | 'update' };

/** Tells the script that started this server, where one did. */
export function tellStarter(words: Told): Promise<void> {
  return new Promise((resolve) => {
    // A script that is gone needs no words: the callback gets an error then.
    if (process.send && process.connected) process.send(words, () => resolve());
    else resolve();
  });
}

/** The exit code of a failed update: a service manager must not start it again and again. */
const UPDATE_FAILED = 78;

/** Ends the process of a start that was refused. */
export async function endRefusedStart(error: Error): Promise<never> {
  if (error instanceof UpdateFailed) {
    await tellStarter({ refused: 'update' });
    process.exit(UPDATE_FAILED);
  }
  await tellStarter({ refused: error instanceof ConfigError ? 'setting' : 'database' });
  process.exit(1);
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

// What keeps connections from holding up the stop. A browser opens some ahead of need, and Node counts one that has
// asked for nothing yet as busy; one whose request was in flight would be kept alive for the next; one may send a body
// that never ends.
function letGoOfConnections(app: FastifyInstance): void {
  const silent = new Set<Socket>();
  const sending = new Set<IncomingMessage>();
  const answering = new Set<ServerResponse>();
  app.server.on('connection', (socket: Socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
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
}

function endWith(response: ServerResponse): void {
  // Node closes such a connection at once, and what the client still sends would then take the answer from it.
  if (response.req.complete) response.shouldKeepAlive = false;
  // When the headers are out already, the client was told to keep it. The response forgets its socket at its end.
  const { socket } = response;
  response.once('finish', () => socket?.end());
}
