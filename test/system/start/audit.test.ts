import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { atEnd } from '../../after-each-file.ts';

const BULK = '/-/npm/v1/security/advisories/bulk';
const SCRIPT = resolve('scripts/audit.mjs');
const SBOM = resolve('scripts/sbom.mjs');

type Advisory = Readonly<{ severity: string; vulnerable: string }>;

/** A registry that knows advisories, as npm asks for them; without any it has no such call. */
async function aRegistry(advisories: Readonly<Record<string, Advisory>> | undefined) {
  const asked: unknown[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const sent = Buffer.concat(chunks);
    if (request.url !== BULK || request.method !== 'POST' || advisories === undefined) {
      response.writeHead(404).end('{}');
      return;
    }
    const isZipped = request.headers['content-encoding'] === 'gzip';
    asked.push(JSON.parse(String(isZipped ? gunzipSync(sent) : sent)));
    const known = Object.entries(advisories).map(([name, { severity, vulnerable }], at) => [
      name,
      [
        {
          id: at + 1,
          url: `https://example.org/${name}`,
          title: `${name} can be misused`,
          severity,
          vulnerable_versions: vulnerable,
          cwe: [],
          cvss: { score: 0, vectorString: null },
        },
      ],
    ]);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(Object.fromEntries(known)));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  atEnd(async () => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { url: `http://127.0.0.1:${address.port}/`, asked };
}

/** A project with these installed packages. */
function aProject(packages: Readonly<Record<string, Readonly<{ version: string; dev?: true }>>>) {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  atEnd(async () => rmSync(folder, { recursive: true, force: true }));
  const of = (isDev: boolean) =>
    Object.fromEntries(
      Object.entries(packages).flatMap(([name, { version, dev }]) =>
        (dev === true) === isDev ? [[name, version]] : [],
      ),
    );
  const root = { name: 'project', version: '1.0.0', dependencies: of(false), devDependencies: of(true) };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
  const installed = Object.fromEntries(
    Object.entries(packages).map(([name, found]) => [`node_modules/${name}`, found]),
  );
  writeFileSync(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...root, lockfileVersion: 3, requires: true, packages: { '': root, ...installed } }),
  );
  return folder;
}

async function audit(folder: string, registry: string) {
  const child = spawn(process.execPath, [SCRIPT], {
    cwd: folder,
    env: { ...process.env, npm_config_registry: registry, npm_config_cache: join(folder, 'cache') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((done) => child.on('close', done));
  return { said: await textOf(child.stdout), code: await ended };
}

const PACKAGES = { 'left-pad': { version: '1.0.0' }, 'right-pad': { version: '2.0.0', dev: true } } as const;

test('the audit script fails for a known vulnerability of high severity, and counts it', async () => {
  const registry = await aRegistry({ 'left-pad': { severity: 'high', vulnerable: '<1.1.0' } });
  const { said, code } = await audit(aProject(PACKAGES), registry.url);
  expect([code, said]).toEqual([1, expect.stringContaining('"high":1')]);
  // Only what a running server has.
  expect(registry.asked).toEqual([{ 'left-pad': ['1.0.0'] }]);
});

test('the audit script reports a vulnerability of moderate severity without failing', async () => {
  const registry = await aRegistry({ 'left-pad': { severity: 'moderate', vulnerable: '*' } });
  const { said, code } = await audit(aProject(PACKAGES), registry.url);
  expect([code, said]).toEqual([0, expect.stringContaining('"moderate":1')]);
});

test('the audit script ignores an advisory about other versions', async () => {
  const registry = await aRegistry({ 'left-pad': { severity: 'critical', vulnerable: '<1.0.0' } });
  const { said, code } = await audit(aProject(PACKAGES), registry.url);
  expect([code, said]).toEqual([0, 'No known vulnerabilities.\n']);
});

test('the audit script reports that nothing was checked if the registry has no advisories endpoint', async () => {
  const registry = await aRegistry(undefined);
  const { said, code } = await audit(aProject(PACKAGES), registry.url);
  expect([code, said]).toEqual([
    2,
    'The registry could not be asked for known vulnerabilities. Nothing was checked.\n',
  ]);
});

test('the SBOM lists the server’s packages from the lockfile, without development packages', () => {
  const folder = aProject(PACKAGES);
  const { status } = spawnSync(process.execPath, [SBOM], { cwd: folder, encoding: 'utf8' });
  const { components } = JSON.parse(readFileSync(join(folder, '.cache/sbom.cdx.json'), 'utf8'));
  expect([status, components.map(({ name }: { name: string }) => name)]).toEqual([0, ['left-pad']]);
});
