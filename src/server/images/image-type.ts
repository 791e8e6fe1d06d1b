/** The accepted image types (specification section 5). */
export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/heic'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

/** A file's type by its content: an accepted image, or the name of another type. */
export type FoundType = Readonly<{ accepted: ImageType } | { accepted: undefined; found: string }>;

/** The `found` type of an empty file. */
export const EMPTY = 'empty';

/** How many bytes from the start and end of a file `detectType` needs. */
export const SNIFFED_BYTES = { head: 4096, tail: 66_000 } as const;

const JPEG = Buffer.from([0xff, 0xd8, 0xff]);
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const ZIP_END = Buffer.from('PK\u0005\u0006', 'latin1');
const ZIP_LIST = Buffer.from('PK\u0001\u0002', 'latin1');
const LARGEST_LIST = 16_000_000;
const PDF = Buffer.from('%PDF-', 'latin1');

// HEVC in a HEIF container, as one image, several, or a sequence.
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'];
const HEIF_BRANDS = ['mif1', 'msf1'];

/**
 * Detects a file's type by its first and last bytes, never by its name. Polyglot files are rejected: an image
 * that a PDF reader (a PDF may start anywhere in the first kilobyte) or a ZIP reader (a ZIP is read from its
 * end) would also open.
 */
export function detectType(head: Buffer, tail: Buffer): FoundType {
  if (head.length === 0) return { accepted: undefined, found: EMPTY };
  const accepted = detectImage(head);
  if (accepted === undefined) return { accepted, found: detectOther(head) };
  if (head.subarray(0, 1024).includes(PDF)) return { accepted: undefined, found: 'application/pdf' };
  if (isZip(tail)) return { accepted: undefined, found: 'application/zip' };
  return { accepted };
}

// The signature alone may occur by chance, so require the file list before it or an end record at the end of
// the file.
function isZip(tail: Buffer): boolean {
  for (let at = tail.indexOf(ZIP_END); at >= 0; at = tail.indexOf(ZIP_END, at + 1)) {
    if (at + 22 > tail.length) return false;
    const [files, list, comment] = [
      tail.readUInt16LE(at + 10),
      tail.readUInt32LE(at + 12),
      tail.readUInt16LE(at + 20),
    ];
    const hasList =
      files > 0 && list >= 46 * files && (list > at || tail.indexOf(ZIP_LIST, at - list) === at - list);
    if (at + 22 + comment === tail.length || (hasList && list < LARGEST_LIST)) return true;
  }
  return false;
}

function detectImage(head: Buffer): ImageType | undefined {
  if (head.subarray(0, 3).equals(JPEG)) return 'image/jpeg';
  if (head.subarray(0, 8).equals(PNG)) return 'image/png';
  if (/^GIF8[79]a/.test(head.toString('latin1', 0, 6))) return 'image/gif';
  if (textAt(head, 0, 4) === 'RIFF' && textAt(head, 8, 12) === 'WEBP') return 'image/webp';
  return isHeic(head) ? 'image/heic' : undefined;
}

// The file starts with an 'ftyp' box that lists its brands; the first brand may be only the generic one.
function isHeic(head: Buffer): boolean {
  const [major, ...others] = readBrands(head);
  if (major === undefined) return false;
  if (HEIC_BRANDS.includes(major)) return true;
  return HEIF_BRANDS.includes(major) && others.some((brand) => HEIC_BRANDS.includes(brand));
}

function readBrands(head: Buffer): string[] {
  if (head.length < 16 || textAt(head, 4, 8) !== 'ftyp') return [];
  const end = Math.min(head.readUInt32BE(0), head.length, 256);
  const brands = [textAt(head, 8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(textAt(head, at, at + 4));
  return brands;
}

// Names common unsupported types for the error message.
function detectOther(head: Buffer): string {
  if (head.subarray(0, 1024).includes(PDF)) return 'application/pdf';
  if (textAt(head, 0, 2) === 'PK') return 'application/zip';
  if (textAt(head, 0, 2) === 'BM') return 'image/bmp';
  if (['II*\0', 'MM\0*'].includes(textAt(head, 0, 4))) return 'image/tiff';
  const [major, ...others] = readBrands(head);
  if (major !== undefined) return [major, ...others].includes('avif') ? 'image/avif' : 'video/mp4';
  const start = head.toString('utf8').trimStart().toLowerCase();
  if (/<svg[\s>]/.test(start)) return 'image/svg+xml';
  if (/^<(!doctype html|html|script|body|head)/.test(start)) return 'text/html';
  return 'unknown';
}

function textAt(bytes: Buffer, from: number, to: number): string {
  return bytes.toString('latin1', from, to);
}
