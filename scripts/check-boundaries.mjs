import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import config from '../.dependency-cruiser.mjs';

const CRUISER = 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs';
const CONFIG = '.dependency-cruiser.mjs';

const cruise = spawnSync(process.execPath, [CRUISER, 'src', '--config', CONFIG, '--output-type', 'json'], {
  encoding: 'utf8',
  maxBuffer: 256 * 1024 * 1024,
});
if (!cruise.stdout) fail(cruise.stderr);
const { modules, summary } = JSON.parse(cruise.stdout);

// With an unsupported TypeScript the tool finds no modules and reports success.
const files = readdirSync('src', { recursive: true }).filter((file) => /\.tsx?$/.test(file)).length;
const analyzed = modules.filter(({ source }) => /^src\/.*\.tsx?$/.test(source)).length;
if (analyzed < files)
  fail(`Only ${analyzed} of the ${files} modules in src/ were read: is the package 'typescript' still 6?`);

for (const { rule, from, to } of summary.violations) {
  const why = config.forbidden.find(({ name }) => name === rule.name)?.comment;
  console.error(`${from} -> ${to}\n  ${rule.name}: ${why}`);
}
if (summary.violations.length > 0) process.exit(1);

function fail(line) {
  console.error(line);
  process.exit(1);
}
