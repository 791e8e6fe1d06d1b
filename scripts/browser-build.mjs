import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { ROOT, run, withNode } from './process.mjs';

const DIST = join(ROOT, 'dist');
const WORK = join(ROOT, '.cache');
const MARKER = '.built-from';
/** The sources of the browser side; a change in any of them requires a new build. */
export const SOURCES = [
  'index.html',
  'vite.config.ts',
  'package-lock.json',
  'scripts/browser-build.mjs',
  'scripts/build-pages.ts',
  'scripts/page-shell.ts',
  'src/app/web',
  'src/app/worker',
  'src/features',
  'src/server/http/browser-pages.ts',
  'src/shared',
  'src/web',
];
const COMPRESSIBLE = /\.(html|js|css|svg)$/;
const NOT_IN_THE_BROWSER = /^src\/features\/.+\/server$|\.test\.tsx?$/;

/** Builds the browser side into dist/ when its sources changed; returns whether dist/ is up to date. */
export async function buildBrowser(node, { quiet = false } = {}) {
  const wanted = fingerprint();
  const marker = join(DIST, MARKER);
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return { ok: true, output: '' };

  // Built in another folder and then swapped in, so that a partial build is never served.
  const fresh = join(WORK, `dist-${process.pid}`);
  const stale = join(WORK, `dist-${process.pid}-old`);
  removeAbandoned();
  mkdirSync(WORK, { recursive: true });
  const args = ['scripts/build-pages.ts', fresh];
  const env = withNode(node, { NODE_ENV: 'production' });
  const progress = quiet ? undefined : 'Building the browser side';
  const result = await run(node, args, { progress, env });
  if (result.ok) {
    compress(fresh);
    writeFileSync(join(fresh, MARKER), wanted);
    if (existsSync(DIST)) renameSync(DIST, stale);
    renameSync(fresh, DIST);
  }
  rmSync(fresh, { recursive: true, force: true });
  rmSync(stale, { recursive: true, force: true });
  return result;
}

/** Adds gzip and Brotli versions of every text file, which the server sends unchanged. */
function compress(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
    // Node 18 calls the folder of an entry `path`.
    const file = join(entry.parentPath ?? entry.path, entry.name);
    const bytes = readFileSync(file);
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
    writeFileSync(`${file}.br`, brotliCompressSync(bytes));
  }
}

/** Removes the folders of killed builds. */
function removeAbandoned() {
  for (const name of existsSync(WORK) ? readdirSync(WORK) : []) {
    const builder = /^dist-(\d+)/.exec(name)?.[1];
    if (builder && !isAlive(Number(builder))) rmSync(join(WORK, name), { recursive: true, force: true });
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => filesUnder(join(ROOT, source)))) {
    hash
      .update(`${relative(ROOT, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return `${hash.digest('hex')}\n`;
}

function filesUnder(path) {
  if (!existsSync(path) || NOT_IN_THE_BROWSER.test(relative(ROOT, path))) return [];
  let entries;
  try {
    entries = readdirSync(path).sort();
  } catch {
    return [path];
  }
  return entries.flatMap((entry) => filesUnder(join(path, entry)));
}
