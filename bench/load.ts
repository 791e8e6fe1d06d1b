import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** A request as it is sent; the path starts with /api or /healthz. */
export type Sent = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  path: string;
  token?: string | undefined;
  body?: object;
}>;

/** A reply. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are compared and counted
export type Answer = Readonly<{ status: number; body: any; milliseconds: number }>;

/** A client of one server, whose sockets stay open; as many of them as there are requests under way. */
export function client(port: number) {
  const agent = new Agent({ keepAlive: true });
  const send = (sent: Sent, parse = true): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      const body = sent.body === undefined ? undefined : JSON.stringify(sent.body);
      const outgoing = request(
        {
          host: '127.0.0.1',
          port,
          agent,
          method: sent.method,
          path: sent.path,
          headers: {
            ...(sent.token === undefined ? {} : { authorization: `Bearer ${sent.token}` }),
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          },
        },
        (incoming) => {
          const pieces: Buffer[] = [];
          incoming.on('data', (piece: Buffer) => pieces.push(piece));
          incoming.on('end', () => {
            const milliseconds = performance.now() - began;
            const text = Buffer.concat(pieces).toString('utf8');
            const answer = { status: incoming.statusCode ?? 0, milliseconds };
            resolve({ ...answer, body: parse || answer.status >= 400 ? JSON.parse(text) : undefined });
          });
          incoming.on('error', reject);
        },
      );
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The server had closed a socket that no request had used yet.
        if (outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(send(sent, parse));
        else reject(new Error(`${sent.method} ${sent.path}: ${error.message}`, { cause: error }));
      });
      outgoing.end(body);
    });
  const sendOrThrow = async (sent: Sent): Promise<number> => {
    const { status, body, milliseconds } = await send(sent, false);
    if (status >= 400) throw new Error(`${sent.method} ${sent.path}: ${status} ${JSON.stringify(body)}`);
    return milliseconds;
  };
  /** Sends all requests over so many connections; returns the milliseconds of each. A refusal ends the run. */
  const sendAll = async (all: readonly Sent[], connections: number): Promise<number[]> => {
    const times: number[] = [];
    let next = 0;
    const worker = async () => {
      for (let sent = all[next++]; sent !== undefined; sent = all[next++])
        times.push(await sendOrThrow(sent));
    };
    await Promise.all(Array.from({ length: connections }, worker));
    return times;
  };
  /**
   * Sends requests at a fixed rate, whether or not earlier ones are answered, over as many connections as that takes.
   * Returns the milliseconds of each from when it was due: a server that stands still delays all that were due meanwhile.
   */
  const sendAtRate = async (all: readonly Sent[], perSecond: number): Promise<number[]> => {
    const began = performance.now();
    const answers = all.map(async (sent, index) => {
      const due = began + (index * 1000) / perSecond;
      await pause(Math.max(0, due - performance.now()));
      await sendOrThrow(sent);
      return performance.now() - due;
    });
    return Promise.all(answers);
  };
  return { send, sendAll, sendAtRate, close: () => agent.destroy() };
}

export type Client = ReturnType<typeof client>;
