/**
 * npm run bench -- --pictures FOLDER
 *
 * What the photographs in a folder weigh as JPEG, WebP and AVIF at equal quality, and what making them costs. Equal is the
 * structural similarity (SSIM) that the first of the encodings has with the pixels it was given.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

/** At 4 a picture of 2048 px takes more than ten seconds of a processor. */
const EFFORTS = [0, 1, 2, 3] as const;
/** By the longest side in pixels: what is equalled. */
const SIZES = [
  { side: 2048, equal: (image: Sharp) => image.jpeg({ quality: 88 }), called: 'JPEG 88' },
  { side: 1320, equal: (image: Sharp) => image.jpeg({ quality: 88 }), called: 'JPEG 88' },
  { side: 480, equal: (image: Sharp) => image.webp({ quality: 80 }), called: 'WebP 80' },
] as const;
const ENCODINGS = [
  { name: 'WebP', tried: [90, 97], encode: (image: Sharp, quality: number) => image.webp({ quality }) },
  ...EFFORTS.map((effort) => ({
    name: `AVIF, effort ${effort}`,
    tried: [82, 90],
    encode: (image: Sharp, quality: number) => image.avif({ quality, effort, chromaSubsampling: '4:2:0' }),
  })),
];

type Pixels = Readonly<{ data: Buffer; width: number; height: number }>;
type Made = Readonly<{ bytes: number; cpuMs: number; similarity: number; quality: number }>;

/** Prints a table for each size. */
export async function weighPictures(folder: string): Promise<void> {
  // As the process that makes pictures does (`limitLibrary`).
  sharp.concurrency(1);
  sharp.cache(false);
  const files = readdirSync(folder).filter((name) => /\.(jpe?g|png|webp)$/i.test(name));
  for (const { side, equal, called } of SIZES) {
    const made = new Map<string, Made[]>();
    const add = (name: string, one: Made) => made.set(name, [...(made.get(name) ?? []), one]);
    for (const file of files) {
      const pixels = await pixelsOf(join(folder, file), side);
      // Not made smaller, it shows the marks of its own encoding.
      if (pixels === undefined) continue;
      const first = await measure(pixels, (image) => equal(image), 0);
      add(called, first);
      for (const encoding of ENCODINGS) {
        add(encoding.name, await equalled(pixels, encoding, first.similarity));
      }
    }
    print(side, called, made);
  }
}

async function pixelsOf(path: string, side: number): Promise<Pixels | undefined> {
  const { width, height } = await sharp(path).metadata();
  if (Math.max(width, height) < side * 1.15) return undefined;
  const { data, info } = await sharp(path)
    .rotate()
    .resize({ width: side, height: side, fit: 'inside' })
    .toColorspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/** What it would be at just that similarity, between the two of the tried qualities that lie around it. */
async function equalled(
  pixels: Pixels,
  { tried, encode }: (typeof ENCODINGS)[number],
  similarity: number,
): Promise<Made> {
  let below: Made | undefined;
  let last: Made | undefined;
  for (const quality of tried) {
    const made = await measure(pixels, (image) => encode(image, quality), quality);
    [below, last] = [last, made];
    if (below !== undefined && made.similarity >= similarity) break;
  }
  if (below === undefined || last === undefined) throw new Error('two qualities are needed');
  const share = (similarity - below.similarity) / (last.similarity - below.similarity);
  const between = (of: (made: Made) => number) => of(below) + share * (of(last) - of(below));
  return {
    bytes: Math.exp(between(({ bytes }) => Math.log(bytes))),
    cpuMs: between(({ cpuMs }) => cpuMs),
    quality: Math.round(between(({ quality }) => quality)),
    similarity,
  };
}

async function measure(
  { data, width, height }: Pixels,
  encode: (image: Sharp) => Sharp,
  quality: number,
): Promise<Made> {
  const raw = { raw: { width, height, channels: 3 as const } };
  const before = process.cpuUsage();
  const encoded = await encode(sharp(data, raw)).toBuffer();
  const { user, system } = process.cpuUsage(before);
  const decoded = await sharp(encoded).removeAlpha().raw().toBuffer();
  return {
    bytes: encoded.length,
    cpuMs: (user + system) / 1000,
    similarity: similarityOf(data, decoded, width, height),
    quality,
  };
}

/** SSIM over blocks of 8 x 8 pixels, every fourth one: eight parts brightness, one part each of the two colours. */
function similarityOf(a: Buffer, b: Buffer, width: number, height: number): number {
  const [one, other] = [planes(a), planes(b)];
  const weights = [0.8, 0.1, 0.1];
  return weights.reduce((sum, weight, plane) => {
    const [x, y] = [one[plane], other[plane]];
    return x === undefined || y === undefined ? sum : sum + weight * ssim(x, y, width, height);
  }, 0);
}

function planes(rgb: Buffer): Float32Array[] {
  const count = rgb.length / 3;
  const [y, cb, cr] = [new Float32Array(count), new Float32Array(count), new Float32Array(count)];
  for (let at = 0; at < count; at++) {
    const [r = 0, g = 0, b = 0] = [rgb[at * 3], rgb[at * 3 + 1], rgb[at * 3 + 2]];
    y[at] = 0.299 * r + 0.587 * g + 0.114 * b;
    cb[at] = 128 - 0.168736 * r - 0.331264 * g + 0.5 * b;
    cr[at] = 128 + 0.5 * r - 0.418688 * g - 0.081312 * b;
  }
  return [y, cb, cr];
}

function ssim(x: Float32Array, y: Float32Array, width: number, height: number): number {
  const [c1, c2] = [(0.01 * 255) ** 2, (0.03 * 255) ** 2];
  let [sum, count] = [0, 0];
  for (let top = 0; top + 8 <= height; top += 4) {
    for (let left = 0; left + 8 <= width; left += 4) {
      let [sx, sy, sxx, syy, sxy] = [0, 0, 0, 0, 0];
      for (let row = 0; row < 8; row++) {
        const start = (top + row) * width + left;
        for (let at = start; at < start + 8; at++) {
          const [p = 0, q = 0] = [x[at], y[at]];
          sx += p;
          sy += q;
          sxx += p * p;
          syy += q * q;
          sxy += p * q;
        }
      }
      const [mx, my] = [sx / 64, sy / 64];
      const [vx, vy, cov] = [sxx / 64 - mx * mx, syy / 64 - my * my, sxy / 64 - mx * my];
      sum += ((2 * mx * my + c1) * (2 * cov + c2)) / ((mx * mx + my * my + c1) * (vx + vy + c2));
      count++;
    }
  }
  return sum / count;
}

function print(side: number, called: string, made: ReadonlyMap<string, readonly Made[]>): void {
  const firsts = made.get(called) ?? [];
  console.log(`\n${side} px, ${firsts.length} photographs, as similar as ${called}`);
  for (const [name, all] of made) {
    const mean = (of: (one: Made) => number) => all.reduce((sum, one) => sum + of(one), 0) / all.length;
    const shares = all.map(({ bytes }, at) => bytes / (firsts[at]?.bytes ?? bytes)).sort((a, b) => a - b);
    console.log(
      [
        name.padEnd(16),
        `${(mean(({ bytes }) => bytes) / 1000).toFixed(0)} kB`.padStart(8),
        `${(100 * (shares[Math.floor(shares.length / 2)] ?? 0)).toFixed(0)} %`.padStart(6),
        `${mean(({ cpuMs }) => cpuMs).toFixed(0)} ms`.padStart(9),
        `SSIM ${mean(({ similarity }) => similarity).toFixed(4)}`,
        `quality ${all
          .map(({ quality }) => quality)
          .sort((a, b) => a - b)
          .join(' ')}`,
      ].join('  '),
    );
  }
}
