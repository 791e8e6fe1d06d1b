import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** A request to the API; the path starts with /api or /healthz. */
export type ApiRequest = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  path: string;
  token?: string | undefined;
  body?: object;
}>;

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape are compared and counted
export type Reply = Readonly<{ status: number; body: any; milliseconds: number }>;

/** A client of one server. Its sockets stay open, one for each request in progress. */
export type Client = ReturnType<typeof openClient>;

/** Opens a client. `translate` turns each request into one that this server understands. */
export function openClient(
  port: number,
  translate: (request: ApiRequest) => ApiRequest = (untranslated) => untranslated,
) {
  const agent = new Agent({ keepAlive: true });
  const send = (wanted: ApiRequest, parse = true): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const { method, path, token, body: json } = translate(wanted);
      const began = performance.now();
      const body = json === undefined ? undefined : JSON.stringify(json);
      const headers = {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
      };
      const outgoing = request({ host: '127.0.0.1', port, agent, method, path, headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const milliseconds = performance.now() - began;
          const status = incoming.statusCode ?? 0;
          const text = parse || status >= 400 ? Buffer.concat(chunks).toString('utf8') : '';
          resolve({ status, milliseconds, body: text.startsWith('{') ? JSON.parse(text) : text });
        });
      });
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed an idle socket just as it was used again.
        if (outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(send(wanted, parse));
        else reject(new Error(`${method} ${path}: ${error.message}`, { cause: error }));
      });
      outgoing.end(body);
    });
  /** Sends a request; throws on an error status, which ends the run. */
  const sendOk = async (wanted: ApiRequest, parse = true): Promise<Reply> => {
    const reply = await send(wanted, parse);
    if (reply.status < 400) return reply;
    throw new Error(`${wanted.method} ${wanted.path}: ${reply.status} ${JSON.stringify(reply.body)}`);
  };
  /** Sends all requests over a number of connections; returns the milliseconds of each. */
  const sendAll = async (requests: readonly ApiRequest[], connections: number): Promise<number[]> => {
    const times: number[] = [];
    const waiting = requests.values();
    const connection = async () => {
      for (const next of waiting) times.push((await sendOk(next, false)).milliseconds);
    };
    await Promise.all(Array.from({ length: connections }, connection));
    return times;
  };
  /**
   * Sends a request every `ms`, whether or not earlier ones are answered, until there are none left. Returns the milliseconds
   * of each from its scheduled time, so a server that stalls delays everything scheduled meanwhile.
   */
  const sendEvery = async (ms: number, nextRequest: () => ApiRequest | undefined): Promise<number[]> => {
    const replies: Promise<number>[] = [];
    let due = performance.now();
    for (let next = nextRequest(); next !== undefined; next = nextRequest()) {
      const late = Math.max(0, performance.now() - due);
      replies.push(sendOk(next, false).then(({ milliseconds }) => late + milliseconds));
      due += ms;
      await pause(Math.max(0, due - performance.now()));
    }
    return Promise.all(replies);
  };
  return { send, sendOk, sendAll, sendEvery, close: () => agent.destroy() };
}
