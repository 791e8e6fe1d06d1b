// Runs before anything is installed, on any Node from 18 on: only what Node itself brings.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, run } from './process.mjs';

const INTERRUPTED = join(ROOT, '.cache/installing');

/** Brings node_modules in line with package-lock.json; does nothing when it already is. */
export async function installDependencies() {
  if (isInstalled()) return;

  // There from before npm starts until it has ended well: an interrupted install is done again.
  mkdirSync(dirname(INTERRUPTED), { recursive: true });
  writeFileSync(INTERRUPTED, '');
  const args = ['ci', '--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund'];
  const npm = process.env.npm_execpath;
  const step = { progress: 'Installing dependencies (a minute or two, only when they change)' };
  const result = npm?.endsWith('.js')
    ? await run(process.execPath, [npm, ...args], step)
    : await run('npm', args, step);
  if (!result.ok) {
    console.error(result.output.trim() || 'npm could not be run.');
    console.error('Dependencies could not be installed: see above, then start again.');
    process.exit(1);
  }
  rmSync(INTERRUPTED);
}

/** The path of a Node that runs this project. Ends the process with one line when there is none. */
export function findNode() {
  if (isAtLeast(process.versions.node, 24, 0)) return process.execPath;
  const packaged = join(ROOT, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  // Asked for its version because a Linux without glibc has the file and cannot run it.
  if (existsSync(packaged) && spawnSync(packaged, ['--version']).status === 0) return packaged;
  if (isAtLeast(process.versions.node, 22, 18)) return process.execPath;
  console.error(
    `Node ${process.versions.node} is too old and none is packaged for this machine: install Node 24.`,
  );
  process.exit(1);
}

function isAtLeast(version, major, minor) {
  const [actualMajor, actualMinor] = version.split('.').map(Number);
  return actualMajor > major || (actualMajor === major && actualMinor >= minor);
}

/** Compares the lockfile with the record that npm keeps of what it installed, so that `npm install` by hand counts too. */
function isInstalled() {
  const record = join(ROOT, 'node_modules/.package-lock.json');
  if (existsSync(INTERRUPTED) || !existsSync(record)) return false;
  const [wanted, installed] = [join(ROOT, 'package-lock.json'), record].map(packagesIn);
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === '') return true;
    // npm leaves out what is optional and made for another machine.
    return installed[path] ? installed[path].version === version : optional;
  });
}

function packagesIn(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}
