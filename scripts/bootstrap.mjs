// Runs before anything is installed, on Node 18 or newer, so it uses only Node's own modules.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT, run, withNode } from './process.mjs';

const INTERRUPTED = join(ROOT, '.cache/installing');
const ADD = ['install', '--no-save'];

/**
 * Brings node_modules in line with package-lock.json; does nothing when it already is. `withTools` also installs what
 * only development and tests need; once installed it stays until something else changes.
 */
export async function installDependencies({ withTools }) {
  if (isInstalled({ withTools })) return;

  const isInterrupted = existsSync(INTERRUPTED);
  // This file exists until npm has succeeded, so that an interrupted install is repeated.
  mkdirSync(dirname(INTERRUPTED), { recursive: true });
  writeFileSync(INTERRUPTED, '');
  const began = performance.now();
  process.stdout.write('Installing dependencies (a minute or two, only when they change) ... ');
  // Explicit, because NODE_ENV=production would leave the tools out.
  const which = withTools ? '--include=dev' : '--omit=dev';
  // A running server may use these files, so when only the tools are missing nothing is replaced.
  const isAdding = withTools && !isInterrupted && isInstalled({ withTools: false });
  await npm(isAdding ? findNode() : process.execPath, [...(isAdding ? ADD : ['ci']), which]);
  // npm skips optional packages that its own Node is too old for, such as the build's native parts.
  const node = findNode();
  if (!isAdding && node !== process.execPath) await npm(node, [...ADD, which]);
  console.log(`${((performance.now() - began) / 1000).toFixed(1)} s`);
  rmSync(INTERRUPTED);
}

/** The path of a Node that runs this project. Ends the process with one line when there is none. */
export function findNode() {
  if (isAtLeast(process.versions.node, 24, 0)) return process.execPath;
  const packaged = join(ROOT, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  // Run once, because a Linux without glibc has the file and cannot run it.
  if (existsSync(packaged) && spawnSync(packaged, ['--version']).status === 0) return packaged;
  if (isAtLeast(process.versions.node, 22, 18)) return process.execPath;
  console.error(
    `Node ${process.versions.node} is too old, and no packaged Node is available for this machine. Install Node 24.`,
  );
  process.exit(1);
}

function isAtLeast(version, major, minor) {
  const [actualMajor, actualMinor] = version.split('.').map(Number);
  return actualMajor > major || (actualMajor === major && actualMinor >= minor);
}

async function npm(node, command) {
  const args = [...command, '--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund'];
  const cli = process.env.npm_execpath;
  const env = withNode(node);
  const { ok, output } = cli?.endsWith('.js')
    ? await run(node, [cli, ...args], { env })
    : await run('npm', args, { env });
  if (ok) return;
  console.error(`failed\n${output.trim() || 'npm could not be run.'}`);
  console.error('Dependencies could not be installed. Fix the error above, then start again.');
  process.exit(1);
}

/** Whether npm's own record of installed packages matches the lockfile. A manual `npm install` counts too. */
function isInstalled({ withTools }) {
  const record = join(ROOT, 'node_modules/.package-lock.json');
  if (existsSync(INTERRUPTED) || !existsSync(record)) return false;
  const [wanted, installed] = [join(ROOT, 'package-lock.json'), record].map(packagesIn);
  return Object.entries(wanted).every(([path, { version, optional, devOptional, dev }]) => {
    if (path === '' || (dev && !withTools)) return true;
    // npm skips optional packages for other platforms.
    return installed[path] ? installed[path].version === version : optional || (devOptional && !withTools);
  });
}

function packagesIn(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}
