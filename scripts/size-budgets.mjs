import { existsSync, readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const DIST = new URL('../dist/', import.meta.url);
const KB = 1000;

/** The gzipped size that a first load of each screen may have: all files that the page names, the view and their imports. */
const BUDGETS = [
  { screen: 'login', view: 'src/app/web/login.tsx', js: 151 * KB, css: 8.2 * KB },
  // Administrators load a second style sheet that volunteers do not.
  { screen: 'admin', view: 'src/app/web/admin/admin.tsx', js: 223 * KB, css: 16.6 * KB },
  { screen: 'volunteer', view: 'src/app/web/dashboard/timetracker.tsx', js: 182 * KB, css: 8.2 * KB },
];

/** The style sheet for some media only. A browser loads it last and renders without it. */
const FOR_SOME_MEDIA = { screen: 'on paper and with more contrast', css: 1.5 * KB };

/** The page of each language. */
const PAGES = [
  { page: 'index.html', chunks: '.vite/manifest.json', of: '' },
  { page: 'index.es.html', chunks: '.vite/manifest.es.json', of: ' in Spanish' },
];

for (const { page, chunks, of } of PAGES) {
  const manifest = JSON.parse(read(chunks).toString());
  const tags = [
    ...read(page)
      .toString()
      .matchAll(/<(?:script|link)[^>]*(?:src|href)="\/([^"]+\.(?:js|css))"[^>]*>/g),
  ];
  const isForSomeMedia = ([tag]) => tag.includes(' media=');
  const named = tags.filter((tag) => !isForSomeMedia(tag)).map(([, file]) => file);
  const later = tags.filter(isForSomeMedia).map(([, file]) => file);
  if (later.length === 0) stop(`${page} names no sheet for paper.`);
  report(`${FOR_SOME_MEDIA.screen}${of}: CSS`, later, '.css', FOR_SOME_MEDIA.css);
  for (const { screen, view, js, css } of BUDGETS) {
    const files = [...new Set([...named, ...firstLoad(manifest, view)])];
    report(`${screen}${of}: JavaScript`, files, '.js', js);
    report(`${screen}${of}: CSS`, files, '.css', css);
  }
}

function firstLoad(manifest, view) {
  if (!manifest[view]) stop(`${view} is not a chunk of its own: import it lazily, or correct its name here.`);
  const chunks = new Set();
  const add = (name) => {
    if (chunks.has(name) || !manifest[name]) return;
    chunks.add(name);
    for (const imported of manifest[name].imports ?? []) add(imported);
  };
  add('index.html');
  add(view);
  return [...chunks].flatMap((name) => [manifest[name].file, ...(manifest[name].css ?? [])]);
}

function report(what, files, ending, budget) {
  const sizes = files
    .filter((file) => file.endsWith(ending))
    .map((file) => gzipSync(read(file), { level: 9 }).length);
  const size = sizes.reduce((sum, one) => sum + one, 0);
  const line = `${what} ${(size / KB).toFixed(1)} KB of ${budget / KB} KB`;
  if (size <= budget) return console.log(line);
  console.error(`${line}: too large`);
  process.exitCode = 1;
}

function read(file) {
  const url = new URL(file, DIST);
  return existsSync(url) ? readFileSync(url) : stop(`dist/${file} is missing: build first.`);
}

function stop(line) {
  console.error(line);
  process.exit(1);
}
