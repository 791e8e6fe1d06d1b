import type { Message } from '#shared/i18n/message.ts';
import { messages, UPLOAD } from '../contract.ts';

const TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/heic', 'image/heif'];
const HEIC_NAMES = ['.heic', '.heif'];

/** File types for the file picker. Some systems know HEIC only by its file extension. */
export const ACCEPT = [...TYPES, ...HEIC_NAMES].join(',');

type Chosen = Readonly<{ name: string; type: string; size: number }>;

/**
 * The problem with a file before it is sent (specification section 5). A HEIC file is recognized by its extension when
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
