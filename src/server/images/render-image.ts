import { createHash } from 'node:crypto';
import { open, readFile, writeFile } from 'node:fs/promises';
import sharp, { type Sharp } from 'sharp';
import { IMAGE_LIMITS } from '#shared/image-limits.ts';
import { readColorProfile } from './heic-color-profile.ts';
import { detectType, type ImageType, SNIFFED_BYTES } from './image-type.ts';
import { writePlainPng } from './write-png.ts';

/** A rendition to create: upright, without metadata, at most this wide and high, never enlarged. */
export type RenditionOptions = Readonly<{
  path: string;
  format: 'jpeg' | 'png' | 'webp' | 'avif';
  width: number;
  height: number;
}>;

/** The file to read, and the renditions to create from it. */
export type RenderJob = Readonly<{ source: string; orders: readonly RenditionOptions[] }>;

/** A worker task: decode a HEIC file into a PNG with its color profile, or make renditions. */
export type Task = Readonly<{ decode: string; into: string } | { make: RenderJob; type: ImageType }>;

/** The result of decoding a HEIC file. */
export type DecodeOutcome = Readonly<
  { ok: true } | { ok: false; reason: 'dimensions' | 'unreadable' | 'full' }
>;

/** A rendition: its pixels, its size in bytes and its SHA-256 in hex. */
export type Rendition = Readonly<{ width: number; height: number; bytes: number; sha256: string }>;

/**
 * The outcome of a job. `type`: not an accepted image but `found`. `dimensions`: too many pixels.
 * `unreadable`: damaged, incomplete, or too large for the decoder. `full`: no disk space for the renditions.
 */
export type RenderOutcome = Readonly<
  | { ok: true; type: ImageType; width: number; height: number; made: readonly Rendition[] }
  | { ok: false; reason: 'type'; found: string }
  | { ok: false; reason: 'dimensions' | 'unreadable' | 'full' }
>;

/** Larger renditions are not cached as raw pixels: the allowed 50 million would take 200 MB. */
const CACHED_SIDE = 2048;

const QUALITY = { jpeg: 88, webp: 80 } as const;
/**
 * Visually as close to the original as the JPEG (docs/dev/decisions.md), at the lowest encoding effort that
 * pays off.
 */
const AVIF = { quality: 86, effort: 0, chromaSubsampling: '4:2:0' } as const;

/** Loaders that no accepted type needs; the library would open such files whatever their names. */
const BLOCKED = [
  'Svg',
  'Tiff',
  'Heif',
  'Jp2k',
  'Jxl',
  'Pdf',
  'Magick',
  'Openslide',
  'Rad',
  'Csv',
  'Raw',
  'Vips',
  'Ppm',
];

/** Detects a file's type (`detectType`) from its start and end. */
export async function detectFileType(path: string) {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const head = Buffer.alloc(Math.min(SNIFFED_BYTES.head, size));
    const tail = Buffer.alloc(Math.min(SNIFFED_BYTES.tail, size));
    await file.read(head, 0, head.length, 0);
    await file.read(tail, 0, tail.length, size - tail.length);
    return detectType(head, tail);
  } finally {
    await file.close();
  }
}

/** Runs a task. Called in a worker process (`image-work.ts`). */
export async function runTask(task: Task): Promise<RenderOutcome | DecodeOutcome> {
  try {
    if ('decode' in task) return await decodeHeic(task.decode, task.into);
    const { source } = task.make;
    try {
      return await render(task, await openImage(source, 'error'));
    } catch (error) {
      // Browsers show a JPEG that lacks only its end marker, so add the marker and retry. Other missing data causes a warning,
      // which fails the retry.
      if (task.type !== 'image/jpeg' || failureReason(error) !== 'unreadable') throw error;
      const ended = Buffer.concat([await readFile(source), Buffer.from([0xff, 0xd9])]);
      return await render(task, await openImage(ended, 'warning'));
    }
  } catch (error) {
    return { ok: false, reason: failureReason(error) };
  }
}

/** Restricts the image library. Must be called once before the first job. */
export function limitLibrary(): void {
  sharp.block({ operation: BLOCKED.map((loader) => `VipsForeignLoad${loader}`) });
  sharp.cache(false);
  sharp.concurrency(1);
}

type Opened = Readonly<{ image: Sharp; width: number; height: number }>;

async function render(
  { make: { orders }, type }: Extract<Task, { make: RenderJob }>,
  picture: Opened | undefined,
): Promise<RenderOutcome> {
  if (picture === undefined) return { ok: false, reason: 'dimensions' };
  const made = await renderAll(picture.image, orders);
  return { ok: true, type, width: picture.width, height: picture.height, made };
}

// Reads only the first frame of an animation.
async function openImage(source: string | Buffer, failOn: 'error' | 'warning'): Promise<Opened | undefined> {
  const image = sharp(source, { failOn, limitInputPixels: IMAGE_LIMITS.pixels, unlimited: false });
  const { width, height, autoOrient } = await image.metadata();
  if (!isWithinLimits(width, height)) return undefined;
  return { image: image.autoOrient(), width: autoOrient.width, height: autoOrient.height };
}

async function displayP3(): Promise<Buffer> {
  const pixel = sharp({ create: { width: 1, height: 1, channels: 3, background: '#000' } });
  const { icc } = await sharp(await pixel.withIccProfile('p3').png().toBuffer()).metadata();
  if (icc === undefined) throw new Error('the library has no profile of Display P3');
  return icc;
}

// The decoder applies the container's rotation; the EXIF orientation only repeats it.
async function decodeHeic(source: string, into: string): Promise<DecodeOutcome> {
  const { default: decode } = await import('heic-decode');
  const heic = await readFile(source);
  const pictures = await decode.all({ buffer: heic });
  const [first] = pictures;
  if (first === undefined || !isWithinLimits(first.width, first.height))
    return { ok: false, reason: 'dimensions' };
  const profile = readColorProfile(heic);
  await writePlainPng(into, await first.decode(), profile === 'p3' ? await displayP3() : profile);
  return { ok: true };
}

// Caches the last rendition of at most `CACHED_SIDE` as raw pixels, so that smaller ones are made from it and the source is
// decoded only once.
async function renderAll(image: Sharp, orders: readonly RenditionOptions[]): Promise<Rendition[]> {
  const made: Rendition[] = [];
  let cached: Readonly<{ image: Sharp; width: number; height: number }> | undefined;
  for (const order of orders) {
    const from =
      cached !== undefined && order.width <= cached.width && order.height <= cached.height
        ? cached.image
        : image;
    const sized = resize(from, order);
    if (order.width > CACHED_SIDE || order.height > CACHED_SIDE) {
      made.push(await writeRendition(sized, order));
      continue;
    }
    const { data, info } = await sized.raw().toBuffer({ resolveWithObject: true });
    const { width, height, channels } = info;
    cached = {
      image: sharp(data, { raw: { width, height, channels } }),
      width: order.width,
      height: order.height,
    };
    made.push(await writeRendition(cached.image.clone(), order));
  }
  return made;
}

function resize(image: Sharp, { width, height }: RenditionOptions): Sharp {
  return image
    .clone()
    .resize({ width, height, fit: 'inside', withoutEnlargement: true })
    .toColorspace('srgb');
}

async function writeRendition(image: Sharp, order: RenditionOptions): Promise<Rendition> {
  const { data, info } = await encode(image, order.format).toBuffer({ resolveWithObject: true });
  await writeFile(order.path, data, { flag: 'wx', mode: 0o600 });
  return {
    width: info.width,
    height: info.height,
    bytes: data.length,
    sha256: createHash('sha256').update(data).digest('hex'),
  };
}

function encode(image: Sharp, format: RenditionOptions['format']): Sharp {
  if (format === 'png') return image.png();
  if (format === 'webp') return image.webp({ quality: QUALITY.webp });
  // Transparent parts of a PNG or GIF would come out black.
  const opaque = image.flatten({ background: '#ffffff' });
  return format === 'avif' ? opaque.avif(AVIF) : opaque.jpeg({ quality: QUALITY.jpeg });
}

function isWithinLimits(width: number, height: number): boolean {
  return (
    width > 0 &&
    height > 0 &&
    width <= IMAGE_LIMITS.side &&
    height <= IMAGE_LIMITS.side &&
    width * height <= IMAGE_LIMITS.pixels
  );
}

function failureReason(error: unknown): 'dimensions' | 'unreadable' | 'full' {
  if (!(error instanceof Error)) return 'unreadable';
  if ('code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')) return 'full';
  return /exceeds pixel limit/i.test(error.message) ? 'dimensions' : 'unreadable';
}
