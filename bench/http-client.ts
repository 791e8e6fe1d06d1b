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
export type Client = ReturnType<typeof client>;

/** Opens a client; `translate` turns each request into what this server understands. */
export function client(port: number, translate: (sent: Sent) => Sent = (sent) => sent) {
  const agent = new Agent({ keepAlive: true });
  const send = (asked: Sent, parse = true): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const { method, path, token, body: given } = translate(asked);
      const began = performance.now();
      const body = given === undefined ? undefined : JSON.stringify(given);
      const headers = {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      };
      const outgoing = request({ host: '127.0.0.1', port, agent, method, path, headers }, (incoming) => {
        const pieces: Buffer[] = [];
        incoming.on('data', (piece: Buffer) => pieces.push(piece));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const milliseconds = performance.now() - began;
          const status = incoming.statusCode ?? 0;
          const text = parse || status >= 400 ? Buffer.concat(pieces).toString('utf8') : '';
          resolve({ status, milliseconds, body: text.startsWith('{') ? JSON.parse(text) : text });
        });
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The server had closed a socket that no request had used yet.
        if (outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(send(asked, parse));
        else reject(new Error(`${method} ${path}: ${error.message}`, { cause: error }));
      });
      outgoing.end(body);
    });
  /** Sends a request; a refusal ends the run. */
  const ask = async (sent: Sent, parse = true): Promise<Answer> => {
    const answer = await send(sent, parse);
    if (answer.status < 400) return answer;
    throw new Error(`${sent.method} ${sent.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  /** Sends all requests over a number of connections; returns the milliseconds of each. */
  const sendAll = async (all: readonly Sent[], connections: number): Promise<number[]> => {
    const times: number[] = [];
    let next = 0;
    const connection = async () => {
      for (let sent = all[next++]; sent !== undefined; sent = all[next++])
        times.push((await ask(sent, false)).milliseconds);
    };
    await Promise.all(Array.from({ length: connections }, connection));
    return times;
  };
  /**
   * Sends requests at fixed moments, whether or not earlier ones are answered, until there is none. Returns the
   * milliseconds of each from when it was due: a server that stands still delays all that were due meanwhile.
   */
  const sendEvery = async (ms: number, nextOne: () => Sent | undefined): Promise<number[]> => {
    const answers: Promise<number>[] = [];
    let due = performance.now();
    for (let sent = nextOne(); sent !== undefined; sent = nextOne()) {
      const late = Math.max(0, performance.now() - due);
      answers.push(ask(sent, false).then(({ milliseconds }) => late + milliseconds));
      due += ms;
      await pause(Math.max(0, due - performance.now()));
    }
    return Promise.all(answers);
  };
  return { send, ask, sendAll, sendEvery, close: () => agent.destroy() };
}
