// Plain JavaScript, because the bootstrap runs it on old Nodes.
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
 * The browser for the browser tests, preferably the headless one.
 * @returns {string | undefined}
 */
export function findChromium() {
  return findHeadlessShell() ?? find(['chromium', 'chromium-browser', 'google-chrome']);
}

/**
 * Debian's headless Chromium. A page takes a third of the work, because the whole browser renders a window with tabs and
 * buttons around each.
 * @returns {string | undefined}
 */
export function findHeadlessShell() {
  return find(['chromium-headless-shell']);
}

/** The Python of Debian's own programs; another one may come first in the path. */
export const SYSTEM_PYTHON = '/usr/bin/python3';

/**
 * The object store of the photo tests.
 * @returns {string | undefined}
 */
export function findSwift() {
  const servers = ['proxy', 'account', 'container', 'object'].map((name) => `/usr/bin/swift-${name}-server`);
  return [SYSTEM_PYTHON, ...servers].every((path) => existsSync(path)) ? servers[0] : undefined;
}

/**
 * Traces and alters system calls, for the tests of power loss and failing disks.
 * @returns {string | undefined}
 */
export function findStrace() {
  return find(['strace']);
}

/**
 * One of the proxies whose examples are tested. Debian's nginx is only in root's path.
 * @returns {string | undefined}
 */
export function findNginx() {
  return find(['nginx']) ?? ['/usr/sbin/nginx'].find((path) => existsSync(path));
}

/**
 * The second browser of the browser tests.
 * @returns {string | undefined}
 */
export function findFirefox() {
  return find(['firefox-esr', 'firefox']);
}

/**
 * The programs of the failover cluster: Patroni promotes the standby, etcd stores the leader, and HAProxy is the proxy.
 * @returns {string | undefined}
 */
export function findPatroni() {
  return find(['patroni']);
}

/** @returns {string | undefined} */
export function findEtcd() {
  return find(['etcd']);
}

/** @returns {string | undefined} */
export function findHaproxy() {
  return find(['haproxy']) ?? ['/usr/sbin/haproxy'].find((path) => existsSync(path));
}

/** @returns {string | undefined} */
export function findCaddy() {
  return find(['caddy']);
}

function find(names) {
  return names
    .flatMap((name) => searchPath().map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}

function searchPath() {
  return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}
