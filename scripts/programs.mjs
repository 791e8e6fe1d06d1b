// Plain JavaScript: read by the bootstrap on old Nodes and by the tests.
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const DEBIAN_POSTGRES = '/usr/lib/postgresql';

/**
 * The folder of PostgreSQL's programs, the newest when there are several.
 * @returns {string | undefined}
 */
export function findPostgres() {
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
  const folders = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(DEBIAN_POSTGRES, version, 'bin'));
  return [...folders, ...searchPath()].find(
    (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
  );
}

/**
 * The browser that the browser tests drive.
 * @returns {string | undefined}
 */
export function findChromium() {
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  return names
    .flatMap((name) => searchPath().map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

/** The Python that Debian's own programs run on; another one may come first in the path. */
export const SYSTEM_PYTHON = '/usr/bin/python3';

/**
 * The object store that the photo tests use, as a Debian package.
 * @returns {string | undefined}
 */
export function findSwift() {
  const servers = ['proxy', 'account', 'container', 'object'].map((name) => `/usr/bin/swift-${name}-server`);
  return [SYSTEM_PYTHON, ...servers].every((path) => existsSync(path)) ? servers[0] : undefined;
}

function searchPath() {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}
