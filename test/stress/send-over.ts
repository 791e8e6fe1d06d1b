import { type Agent, request } from 'node:http';

type Sent = { token: string; agent: Agent; body: object | undefined };

/** Sends a call over an agent's connections, reads the whole answer and returns its status. */
export function sendOver(origin: string, call: string, { token, agent, body }: Sent): Promise<number> {
  const [method = '', path = ''] = call.split(' ');
  const text = body === undefined ? '' : JSON.stringify(body);
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const asked = request(`${origin}${path}`, {
      method,
      agent,
      headers: { authorization: `Bearer ${token}`, ...type, 'content-length': String(text.length) },
    });
    asked.once('error', reject);
    asked.once('response', (reply) => {
      reply.once('error', reject);
      reply.once('end', () => resolve(reply.statusCode ?? 0));
      reply.resume();
    });
    asked.end(text);
  });
}
