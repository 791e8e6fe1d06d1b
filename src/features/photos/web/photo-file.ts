import type { Message } from '#shared/i18n/message.ts';
import { messages, UPLOAD } from '../contract.ts';

const TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/heic', 'image/heif'];
const HEIC_NAMES = ['.heic', '.heif'];

/** File types for the file picker. Some systems know HEIC only by its file extension. */
export const ACCEPT = [...TYPES, ...HEIC_NAMES].join(',');

type Chosen = Readonly<{ name: string; type: string; size: number }>;

/**
 * Returns the problem with a file before it is sent (specification section 5). A HEIC file is recognized by its extension if
 * the device does not know its type; the server checks the content.
 */
export function fileProblem(file: Chosen): Message | undefined {
  if (!TYPES.includes(file.type) && !isNamedHeic(file)) {
    return messages.invalidType(file.name, file.type === '' ? (extensionOf(file.name) ?? '?') : file.type);
  }
  if (file.size === 0) return messages.empty(file.name);
  return file.size > UPLOAD.bytes ? messages.tooLarge : undefined;
}

function isNamedHeic({ name, type }: Chosen): boolean {
  return (
    (type === '' || type === 'application/octet-stream') &&
    HEIC_NAMES.some((end) => name.toLowerCase().endsWith(end))
  );
}

function extensionOf(name: string): string | undefined {
  return /\.[^.]+$/.exec(name)?.[0];
}

/** The longest side of the image to send, and the JPEG quality. */
const LONGEST_PX = 2560;
const QUALITY = 0.85;

/**
 * Returns a smaller, upright JPEG of a large image, without its location. Returns a small image, or one that this browser
 * cannot read, unchanged, because the server does the same to every image anyway.
 */
export async function shrinkImage(file: Blob): Promise<Blob> {
  try {
    const bitmap = await createImageBitmap(file, { imageOrientation: 'from-image' });
    const scale = LONGEST_PX / Math.max(bitmap.width, bitmap.height);
    try {
      return scale >= 1 ? file : ((await drawImage(bitmap, scale)) ?? file);
    } finally {
      bitmap.close();
    }
  } catch {
    return file;
  }
}

function drawImage(bitmap: ImageBitmap, scale: number): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const context = canvas.getContext('2d');
  if (context === null) return Promise.resolve(null);
  // JPEG has no transparency: transparent areas would turn black.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
}
