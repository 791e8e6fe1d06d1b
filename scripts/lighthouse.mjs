import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, runInFront, withNode } from './process.mjs';

/** Where Lighthouse is installed. Not a development dependency: 114 packages, 176 MB, that only this drill needs. */
const PLACE = join(ROOT, '.cache/lighthouse');
const VERSION = '13.5.0';

/** Looks at the built pages with Lighthouse, as on a slow phone. Installed once, it needs no network. */
export async function lighthouse(node) {
  if (!(await installLighthouse(node))) return 1;
  return runInFront(node, [['bench/lighthouse.ts']]);
}

async function installLighthouse(node) {
  const installed = join(PLACE, 'node_modules/lighthouse/package.json');
  if (existsSync(installed) && JSON.parse(readFileSync(installed, 'utf8')).version === VERSION) return true;
  mkdirSync(PLACE, { recursive: true });
  writeFileSync(join(PLACE, 'package.json'), '{ "private": true }');
  const args = ['install', '--prefix', PLACE, '--save-exact', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { ok, output } = await run('npm', [...args, `lighthouse@${VERSION}`], {
    progress: 'Installing Lighthouse',
    env: withNode(node),
  });
  if (!ok) console.error(output.trim());
  return ok;
}
