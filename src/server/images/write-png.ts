import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createDeflate, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
/** Rows per chunk. */
const ROWS = 64;

type Pixels = Readonly<{ width: number; height: number; data: Uint8ClampedArray<ArrayBuffer> }>;

/**
 * Writes RGBA pixels as an uncompressed PNG, in chunks, to avoid a second copy of a large image in memory.
 * `icc` is the color profile of the pixels.
 */
export async function writePlainPng(path: string, pixels: Pixels, icc: Buffer | undefined): Promise<void> {
  const { width, height } = pixels;
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Eight bits each of red, green, blue and alpha.
  head.set([8, 6], 8);
  async function* chunks(deflated: AsyncIterable<Buffer>) {
    yield SIGNATURE;
    yield chunk('IHDR', head);
    if (icc !== undefined) {
      yield chunk('iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(icc)]));
    }
    for await (const piece of deflated) yield chunk('IDAT', piece);
    yield chunk('IEND', Buffer.alloc(0));
  }
  await pipeline(
    Readable.from(rowsOf(pixels), { objectMode: false }),
    createDeflate({ level: 0 }),
    chunks,
    createWriteStream(path, { flags: 'wx', mode: 0o600 }),
  );
}

// Each row starts with the type of its filter; 0 is none.
function* rowsOf({ width, height, data }: Pixels) {
  for (let from = 0; from < height; from += ROWS) {
    const rows = Math.min(ROWS, height - from);
    const piece = Buffer.alloc(rows * (width * 4 + 1));
    for (let row = 0; row < rows; row += 1) {
      const start = (from + row) * width * 4;
      piece.set(data.subarray(start, start + width * 4), row * (width * 4 + 1) + 1);
    }
    yield piece;
  }
}

function chunk(type: string, content: Buffer): Buffer {
  const whole = Buffer.alloc(content.length + 12);
  whole.writeUInt32BE(content.length, 0);
  whole.write(type, 4, 'latin1');
  content.copy(whole, 8);
  whole.writeUInt32BE(crc32(whole.subarray(4, content.length + 8)), content.length + 8);
  return whole;
}
