import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import sharp from 'sharp';

const DRAWING = resolve(import.meta.dirname, '../src/web/icon.svg');
/** The rounded corners, which icons for devices with their own icon shapes must not have. */
const ROUND = ' rx="11"';
const FAVICON = 32;

/** Renders the icons of the installed product from src/web/icon.svg. */
export async function iconFiles(): Promise<readonly { name: string; bytes: Buffer }[]> {
  const drawing = readFileSync(DRAWING, 'utf8');
  if (!drawing.includes(ROUND)) throw new Error(`src/web/icon.svg has no${ROUND}: update scripts/icons.ts`);
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
