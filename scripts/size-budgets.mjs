import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const DIST = new URL('../dist/', import.meta.url);
const KB = 1000;

/** What a first load of each screen may weigh, gzipped: the entry, the view, and all that both import. */
const BUDGETS = [
  { screen: 'login', view: 'src/web/views/login.tsx', js: 145 * KB, css: 8 * KB },
  { screen: 'volunteer', view: 'src/web/views/timetracker.tsx', js: 165 * KB, css: 8 * KB },
];

const manifest = JSON.parse(read('.vite/manifest.json').toString());
for (const { screen, view, js, css } of BUDGETS) {
  const files = firstLoad(view);
  report(
    `${screen}: JavaScript`,
    files.filter((file) => file.endsWith('.js')),
    js,
  );
  report(
    `${screen}: CSS`,
    files.filter((file) => file.endsWith('.css')),
    css,
  );
}

function firstLoad(view) {
  if (!manifest[view]) fail(`${view} is not a chunk of its own: import it lazily, or mend its name here.`);
  const chunks = new Set();
  const add = (name) => {
    if (chunks.has(name)) return;
    chunks.add(name);
    for (const imported of manifest[name].imports ?? []) add(imported);
  };
  add('index.html');
  add(view);
  return [...new Set([...chunks].flatMap((name) => [manifest[name].file, ...(manifest[name].css ?? [])]))];
}

function report(what, files, budget) {
  const size = files.reduce((sum, file) => sum + gzipSync(read(file), { level: 9 }).length, 0);
  const line = `${what} ${(size / KB).toFixed(1)} KB of ${budget / KB} KB`;
  if (size > budget) fail(`${line}: too large`);
  else console.log(line);
}

function read(file) {
  const url = new URL(file, DIST);
  if (existsSync(url)) return readFileSync(url);
  fail(`dist/${file} is missing: build first.`);
  return process.exit();
}

function fail(line) {
  console.error(line);
  process.exitCode = 1;
}
