import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test, vi } from 'vitest';
import { openDatabase } from '#server/db/database.ts';
import { atEnd, emptyPlace } from '#test/harness.ts';
import { multipart } from '#test/upload.ts';
import { findCaddy, findNginx } from '../../../scripts/programs.mjs';
import { ADMIN, ADMIN_SETTINGS, openDistrict } from '../../open-district.ts';
import { type Child, startChild } from '../../server-process.ts';

const ROOT = join(import.meta.dirname, '../../..');
const NAME = 'volunteers.example.org';
const SETTINGS = { ...ADMIN_SETTINGS, PUBLIC_URL: `https://${NAME}`, TRUSTED_PROXIES: '127.0.0.1' };

vi.setConfig({ testTimeout: 60_000 });

type Proxy = Readonly<{ port: number; product: Child }>;

// The examples as they are, but for ports, the certificate and folders that root owns.
const proxies = [
  { name: 'nginx', program: findNginx(), start: startNginx, refusesByLength: true },
  // Caddy counts a body only as it comes.
  { name: 'Caddy', program: findCaddy(), start: startCaddy, refusesByLength: false },
];

describe.each(proxies)('the example of $name', ({ program, start, name, refusesByLength }) => {
  test.skipIf(program === undefined)(
    `forwards uploads, and client addresses that cannot be spoofed${program === undefined ? ` (${name} is not installed)` : ''}`,
    async () => {
      const place = await emptyPlace();
      const product = await startChild(place, SETTINGS);
      const { volunteer, activity } = await openDistrict(product);
      const folder = mkdtempSync(join(tmpdir(), 'volunteer-time-proxy-'));
      atEnd(() => rmSync(folder, { recursive: true, force: true }));
      const port = await start(program ?? '', folder, Number(new URL(product.origin).port));
      const proxy = { port, product };

      const config = await send(proxy, 'GET /api/config');
      expect([config.status, config.headers['strict-transport-security']]).toEqual([200, 'max-age=31536000']);
      await expectUpload(proxy, volunteer, activity.id);
      if (refusesByLength) await expectTooLarge(proxy, volunteer, activity.id);
      await expectRange(proxy);
      const spoofed = {
        'x-forwarded-for': '203.0.113.9',
        forwarded: 'for=203.0.113.9',
        'x-real-ip': '203.0.113.9',
      };
      const headers = { ...spoofed, 'content-type': 'application/json' };
      const signedIn = await send(proxy, 'POST /api/auth/login', {
        headers,
        body: Buffer.from(JSON.stringify(ADMIN)),
      });
      expect(signedIn.status).toBe(200);
      const database = await openDatabase(place);
      const sessions = await database.db.selectFrom('sessions').select('address').execute();
      await database.close();
      expect(new Set(sessions.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));
    },
  );
});

// Larger than what nginx takes without being told.
async function expectUpload(proxy: Proxy, token: string, activityId: number): Promise<void> {
  const noise = await sharp(randomBytes(1500 * 1000 * 3), { raw: { width: 1500, height: 1000, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
  expect(noise.length).toBeGreaterThan(1_500_000);
  const { body, headers } = await multipart('photos', [{ name: 'fair.jpg', content: noise }]);
  const sent = { headers: { ...headers, authorization: `Bearer ${token}` }, body };
  expect((await send(proxy, `POST /api/activities/${activityId}/photos`, sent)).status).toBe(201);
}

async function expectTooLarge(proxy: Proxy, token: string, activityId: number): Promise<void> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': '90000000',
  };
  const sent = { headers, body: Buffer.alloc(64 * 1024), isHalf: true };
  expect((await send(proxy, `POST /api/activities/${activityId}/photos`, sent)).status).toBe(413);
}

// A part of a file of the pages, where they are built: the same as without the proxy.
async function expectRange(proxy: Proxy): Promise<void> {
  const assets = join(ROOT, 'dist/assets');
  const [file] = existsSync(assets) ? readdirSync(assets).filter((name) => name.endsWith('.js')) : [];
  if (file === undefined) return;
  const headers = { range: 'bytes=100-199' };
  const part = await send(proxy, `GET /assets/${file}`, { headers });
  expect([part.status, part.headers['content-length']]).toEqual([206, '100']);
  expect(part.body).toEqual(readFileSync(join(assets, file)).subarray(100, 200));
}

async function startNginx(program: string, folder: string, product: number): Promise<number> {
  const [port, plain] = [await freePort(), await freePort()];
  const { certificate, key } = certificateIn(folder);
  const site = readFileSync(join(ROOT, 'deploy/nginx.conf'), 'utf8')
    .replaceAll(/listen \[::\].*;/g, '')
    .replace('listen 80;', `listen 127.0.0.1:${plain};`)
    .replace('listen 443', `listen 127.0.0.1:${port}`)
    .replace(/ssl_certificate .*;/, `ssl_certificate ${certificate};`)
    .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${key};`)
    .replace('127.0.0.1:3000', `127.0.0.1:${product}`);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = folders.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  // As root nginx would give its work to an account that cannot enter the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  writeFileSync(
    join(folder, 'nginx.conf'),
    `${user} daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths} ${site} }`,
  );
  await running(program, ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'], port, 'SIGTERM');
  const moved = await fetch(`http://127.0.0.1:${plain}/time?a=1`, { redirect: 'manual' });
  expect([moved.status, moved.headers.get('location')]).toEqual([301, `https://${NAME}/time?a=1`]);
  return port;
}

async function startCaddy(program: string, folder: string, product: number): Promise<number> {
  const [port, plain] = [await freePort(), await freePort()];
  const { certificate, key } = certificateIn(folder);
  const site = readFileSync(join(ROOT, 'deploy/Caddyfile'), 'utf8')
    .replace(`${NAME} {`, `${NAME}:${port} {\n\tbind 127.0.0.1\n\ttls ${certificate} ${key}`)
    .replace('127.0.0.1:3000', `127.0.0.1:${product}`);
  const options = `{\n\tadmin off\n\tauto_https disable_redirects\n\thttp_port ${plain}\n\thttps_port ${port}\n\tstorage file_system ${folder}\n}\n`;
  writeFileSync(join(folder, 'Caddyfile'), options + site);
  await running(
    program,
    ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'],
    port,
    'SIGKILL',
  );
  return port;
}

async function running(program: string, args: string[], port: number, signal: NodeJS.Signals): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { HOME: tmpdir() } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += text));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  atEnd(() => {
    child.kill(signal);
    return ended;
  });
  await expect
    .poll(async () => (child.exitCode === null ? await listens(port) : said), { timeout: 20_000 })
    .toBe(true);
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request({ ...target(port), path: '/healthz' }, (reply) => {
      reply.resume();
      resolve(reply.statusCode === 200);
    });
    asked.once('error', () => resolve(false));
    asked.end();
  });
}

function target(port: number) {
  return { host: '127.0.0.1', port, servername: NAME, rejectUnauthorized: false };
}

type Sent = { headers?: Record<string, string>; body?: Buffer; isHalf?: boolean };
type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

function send(
  { port }: Proxy,
  call: string,
  { headers = {}, body, isHalf = false }: Sent = {},
): Promise<Answer> {
  const [method = 'GET', path = '/'] = call.split(' ');
  return new Promise((resolve, reject) => {
    const length = body === undefined || isHalf ? {} : { 'content-length': String(body.length) };
    const asked = request(
      { ...target(port), method, path, headers: { host: NAME, ...length, ...headers } },
      async (reply) => {
        const chunks: Buffer[] = [];
        for await (const chunk of reply) chunks.push(chunk);
        resolve({ status: reply.statusCode ?? 0, headers: reply.headers, body: Buffer.concat(chunks) });
        if (isHalf) asked.destroy();
      },
    );
    asked.once('error', reject);
    if (body !== undefined) asked.write(body);
    if (!isHalf) asked.end();
  });
}

function certificateIn(folder: string) {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  mkdirSync(folder, { recursive: true });
  const made = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=${NAME} -keyout ${key} -out ${certificate}`;
  execFileSync('openssl', made.split(' '), { stdio: 'ignore' });
  return { certificate, key };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
