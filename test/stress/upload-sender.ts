import { once } from 'node:events';
import { request } from 'node:http';
import { constants, setPriority } from 'node:os';

// A separate process that sends all uploads at once, at low priority, because sending must not take CPU from the server.
setPriority(constants.priority.PRIORITY_LOW);

/** The first message. At the second one the process sends the uploads and returns their statuses. */
export type Uploads = Readonly<{
  address: string;
  /** The bytes of each body are in base64. */
  sent: readonly Readonly<{ body: string; headers: Record<string, string> }>[];
}>;

const [{ address, sent }] = (await once(process, 'message')) as [Uploads];
const bodies = sent.map(({ body }) => Buffer.from(body, 'base64'));
const go = once(process, 'message');
process.send?.('ready');
await go;
process.send?.(await Promise.all(bodies.map((body, at) => send(body, sent[at]?.headers))));

function send(body: Buffer, headers: Record<string, string> | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const upload = request(address, {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
    });
    upload.on('response', (reply) => reply.resume().on('end', () => resolve(reply.statusCode ?? 0)));
    upload.on('error', reject);
    upload.end(body);
  });
}
