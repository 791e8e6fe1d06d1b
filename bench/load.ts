import { Agent, request } from 'node:http';

/** A request as it is sent; the path starts with /api or /healthz. */
export type Sent = Readonly<{
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  token?: string | undefined;
  body?: object;
}>;

/** A reply. */
// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are compared and counted
export type Answer = Readonly<{ status: number; body: any; milliseconds: number }>;

/** A client of one server, whose sockets stay open. */
export function client(port: number, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
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
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  /** Sends all requests over the connections; returns the milliseconds of each. A refusal ends the run. */
  const sendAll = async (all: readonly Sent[]): Promise<number[]> => {
    const times: number[] = [];
    let next = 0;
    const worker = async () => {
      for (let sent = all[next++]; sent !== undefined; sent = all[next++]) {
        const { status, body, milliseconds } = await send(sent, false);
        if (status >= 400) throw new Error(`${sent.method} ${sent.path}: ${status} ${JSON.stringify(body)}`);
        times.push(milliseconds);
      }
    };
    await Promise.all(Array.from({ length: connections }, worker));
    return times;
  };
  return { send, sendAll, close: () => agent.destroy() };
}

export type Client = ReturnType<typeof client>;
