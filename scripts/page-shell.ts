import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import sharp from 'sharp';
import { build } from 'vite';
import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';

const ROOT = resolve(import.meta.dirname, '..');
/** Not cached for offline use: what only administrators open, and the font of rare letters. */
const NOT_CACHED = /\/admin|latin-ext|\.svg$/;

type Chunk = Readonly<{
  file: string;
  imports?: readonly string[];
  dynamicImports?: readonly string[];
  css?: readonly string[];
  assets?: readonly string[];
}>;
type Chunks = Readonly<Record<string, Chunk>>;

/** The file names of a language's page, service worker and manifests. */
export function namesOf(language: Language) {
  const suffix = language === LANGUAGES[0] ? '' : `.${language}`;
  return {
    page: `index${suffix}.html`,
    chunks: `.vite/manifest${suffix}.json`,
    worker: `sw${suffix}.js`,
    manifest: `manifest${suffix}.webmanifest`,
  } as const;
}

/** Makes the built page of a language installable and adds the service worker that opens it offline. */
export async function finishPages(folder: string, language: Language): Promise<void> {
  const names = namesOf(language);
  const chunks: Chunks = JSON.parse(readFileSync(join(folder, names.chunks), 'utf8'));
  const page = join(folder, names.page);
  const html = readFileSync(page, 'utf8')
    .replace('href="/manifest.webmanifest"', `href="/${names.manifest}"`)
    .replace('id="starting" lang="en"', `id="starting" lang="${language}"`)
    .replaceAll(titleIn(LANGUAGES[0]), titleIn(language));
  writeFileSync(page, html);
  await addWorker(folder, language, cachedFiles(chunks), html);
}

/** The product's name in a language, as the screens show it. */
function titleIn(language: Language): string {
  return JSON.parse(
    readFileSync(join(ROOT, `src/features/schools/district-settings/messages.${language}.json`), 'utf8'),
  ).title;
}

export async function addIcons(folder: string): Promise<void> {
  for (const { name, bytes } of await iconFiles()) writeFileSync(join(folder, name), bytes);
}

async function addWorker(
  folder: string,
  language: Language,
  files: readonly string[],
  html: string,
): Promise<void> {
  const { page, worker } = namesOf(language);
  // The page is cached with its headers, so a change of them is a new revision.
  const headers = readFileSync(join(ROOT, 'src/server/http/browser-pages.ts'), 'utf8');
  const cached = [
    { url: `/${page}`, revision: digest(html + headers) },
    ...files.map((file) => ({ url: `/${file}`, revision: null })),
  ];
  const code = await bundle(`${ROOT}/src/app/worker/worker.ts`, {
    CACHED_LANGUAGE: JSON.stringify(language),
    CACHED_PAGE: JSON.stringify(`/${page}`),
    CACHED_FILES: JSON.stringify(cached),
  });
  writeFileSync(join(folder, worker), code);
}

/** Bundles a script without imports, in a syntax that old browsers support. */
export async function bundle(input: string, define: Record<string, string>): Promise<string> {
  const built = await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: 'warn',
    define: { ...define, 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2018',
      modulePreload: false,
      rolldownOptions: { input, output: { format: 'iife' } },
    },
  });
  const [output] = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  if (output?.type !== 'chunk') throw new Error(`${input} produced no script`);
  return output.code;
}

/** The files of all screens except the Admin Panel. */
function cachedFiles(chunks: Chunks): string[] {
  const names = new Set<string>();
  const add = (name: string) => {
    if (names.has(name) || NOT_CACHED.test(name)) return;
    names.add(name);
    const { imports = [], dynamicImports = [] } = chunks[name] ?? {};
    for (const imported of [...imports, ...dynamicImports]) add(imported);
  };
  add('index.html');
  const files = [...names].flatMap((name) => {
    const { file, css = [], assets = [] } = chunks[name] ?? { file: '' };
    return [file, ...css, ...assets];
  });
  return [...new Set(files)].filter((file) => !NOT_CACHED.test(`/${file}`)).sort();
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 8);
}

const DRAWING = resolve(import.meta.dirname, '../src/web/icon.svg');
/** The rounded corners, which icons for devices with their own icon shapes must not have. */
const ROUND = ' rx="11"';
const FAVICON = 32;

/** Renders the icons of the installed product from src/web/icon.svg. */
async function iconFiles(): Promise<readonly { name: string; bytes: Buffer }[]> {
  const drawing = readFileSync(DRAWING, 'utf8');
  if (!drawing.includes(ROUND))
    throw new Error(`src/web/icon.svg has no${ROUND}: update scripts/page-shell.ts`);
  const square = drawing.replace(ROUND, '');
  return [
    { name: 'icon-192.png', bytes: await render(drawing, 192) },
    { name: 'icon-512.png', bytes: await render(drawing, 512) },
    { name: 'icon-maskable-192.png', bytes: await render(square, 192) },
    { name: 'icon-maskable-512.png', bytes: await render(square, 512) },
    { name: 'apple-touch-icon.png', bytes: await render(square, 180) },
    { name: 'favicon.ico', bytes: asIco(await render(drawing, FAVICON), FAVICON) },
  ];
}

function render(svg: string, pixels: number): Promise<Buffer> {
  const POINTS_PER_INCH = 72;
  const DRAWING_SIZE = 40;
  return sharp(Buffer.from(svg), { density: (POINTS_PER_INCH * pixels) / DRAWING_SIZE })
    .resize(pixels, pixels)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();
}

/** An .ico file with one PNG image. */
function asIco(png: Buffer, pixels: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(pixels, 6);
  head.writeUInt8(pixels, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}
