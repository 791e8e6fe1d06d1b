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
 * The browser that the browser tests drive: the one without windows of its own where there is one.
 * @returns {string | undefined}
 */
export function findChromium() {
  return findHeadlessShell() ?? find(['chromium', 'chromium-browser', 'google-chrome']);
}

/**
 * Chromium as Debian packs it for programs. A page costs it a third of the work: the whole browser draws a window with
 * tabs and buttons around each, also where nobody sees it.
 * @returns {string | undefined}
 */
export function findHeadlessShell() {
  return find(['chromium-headless-shell']);
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

/**
 * The program that watches and alters a server's system calls, for the tests of power loss and failing disks.
 * @returns {string | undefined}
 */
export function findStrace() {
  return find(['strace']);
}

/**
 * The proxies whose examples are tested. Debian has nginx where only root's path leads.
 * @returns {string | undefined}
 */
export function findNginx() {
  return find(['nginx']) ?? ['/usr/sbin/nginx'].find((path) => existsSync(path));
}

/**
 * The second browser, as Debian packs it, for a drill.
 * @returns {string | undefined}
 */
export function findFirefox() {
  return find(['firefox-esr', 'firefox']);
}

/**
 * The programs of a cluster: what lets a standby take over, where it keeps who leads, and the proxy in front.
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
