import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { commonMessages } from '#shared/common-messages.ts';
import type { Deps } from '../deps.ts';
import { translate } from '../i18n/translator.ts';
import { createRequestLog } from '../log.ts';

/** The response header with the request id, which also appears in the logs. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** The pattern logged for requests that match no route. */
const NO_ROUTE = '(none)';
/** Status for a client that disconnected before the response was complete; nginx logs the same number. */
const CLIENT_GONE = 499;

/** A completed request, with its route's pattern instead of its URL, which may hold names and tokens. */
export type CompletedRequest = Readonly<{
  id: string;
  method: string;
  route: string;
  status: number;
  milliseconds: number;
  accountId: number | null;
}>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the duration depends on a file transfer or another server. Such a request is never logged as slow. */
    isLong?: boolean;
  }
}

/** Adds the request id to each response, and calls `note` when the request is complete. */
export function observeRequests(note: (past: CompletedRequest, isLong: boolean) => void) {
  return (request: FastifyRequest, reply: FastifyReply): void => {
    reply.header(REQUEST_ID_HEADER, request.id);
    const began = performance.now();
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      const { url, config } = request.routeOptions;
      const past = {
        id: request.id,
        method: request.method,
        route: url ?? NO_ROUTE,
        status: reply.raw.writableEnded ? reply.raw.statusCode : CLIENT_GONE,
        milliseconds: Math.round((performance.now() - began) * 10) / 10,
        accountId: request.listener?.userId ?? null,
      };
      note(past, config?.isLong === true);
    };
    reply.raw.once('finish', end);
    reply.raw.once('close', end);
  };
}

/** Logs all requests if `requestLog` is set, and slow requests unless `slowRequestMs` is 0. */
export function logRequests({ config, log }: Deps): (past: CompletedRequest, isLong: boolean) => void {
  const all = config.requestLog ? createRequestLog() : undefined;
  const { slowRequestMs } = config;
  return (past, isLong) => {
    all?.info(past, 'request');
    if (slowRequestMs > 0 && !isLong && past.milliseconds >= slowRequestMs) log.warn(past, 'slow request');
  };
}

/** Replies to an unreadable request: Node's own reply would have no id. */
export function replyToUnreadableRequest(deps: Pick<Deps, 'translator'>) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const [status, message] = UNREADABLE[error.code ?? ''] ?? [400, commonMessages.invalidRequest];
    const body = JSON.stringify({ error: translate(deps, message) });
    if (socket.writable) {
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
          `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${randomUUID()}\r\nConnection: close\r\n\r\n${body}`,
      );
    }
    socket.destroy(error);
  };
}

const UNREADABLE: Readonly<Record<string, readonly [number, typeof commonMessages.invalidRequest]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, commonMessages.timedOut],
  HPE_HEADER_OVERFLOW: [431, commonMessages.tooLarge],
};
