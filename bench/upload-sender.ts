import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { constants, setPriority } from 'node:os';

/** Uploads of one picture to several addresses at once; each gets other bytes behind it. */
export type UploadsToSend = Readonly<{
  port: number;
  picture: string;
  uploads: readonly Readonly<{ path: string; token: string; mark: string }>[];
}>;

// A process of its own, as phones are machines of their own: what sending costs is not the server's.
setPriority(constants.priority.PRIORITY_LOW);
const [{ port, picture, uploads }] = (await once(process, 'message')) as [UploadsToSend];
const bytes = readFileSync(picture);
const BOUNDARY = 'end-of-a-part';
process.send?.(await Promise.all(uploads.map(send)));
process.disconnect();

function send({ path, token, mark }: UploadsToSend['uploads'][number]): Promise<number> {
  const part = (name: string, more = '') =>
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${part('consent')}true\r\n${part('containsStudents')}false\r\n`),
    Buffer.from(part('photos', '; filename="photo.jpg"\r\ncontent-type: image/jpeg')),
    bytes,
    Buffer.from(`${mark}\r\n--${BOUNDARY}--\r\n`),
  ]);
  return new Promise((resolve, reject) => {
    const upload = request({
      host: '127.0.0.1',
      port,
      path,
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        'content-length': body.length,
      },
    });
    upload.on('response', (reply) => reply.resume().on('end', () => resolve(reply.statusCode ?? 0)));
    upload.on('error', reject);
    upload.end(body);
  });
}
