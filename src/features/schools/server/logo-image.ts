import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Deps } from '#server/deps.ts';
import type { UploadedFile } from '#server/http/multipart.ts';
import { sure } from '#shared/assert-defined.ts';
import { baseMessages } from '#shared/common-messages.ts';
import { refuse } from '#shared/errors.ts';
import { LOGO } from '../admin-contract.ts';
import { messages } from '../contract.ts';
import type { Logo } from './logo-store.ts';

const ADDRESS = '/api/schools/logos';

// PNG keeps lines and letters sharp, but a photo would be several times as large.
const LARGEST_PNG = 100_000;

/** Where a logo is shown from. */
export function urlOf({ name }: Pick<Logo, 'name'>): string {
  return `${ADDRESS}/${name}`;
}

/** A logo that was made from a picture, with its pixels. */
export type MadeLogo = Logo & Readonly<{ width: number; height: number }>;

/** The picture that somebody sent as a logo, decoded and encoded anew. 400 for what is no picture, and for none. */
export async function encodeLogo(
  deps: Deps,
  file: UploadedFile | undefined,
  folder: string | undefined,
): Promise<MadeLogo> {
  if (file === undefined || folder === undefined) {
    throw refuse.invalid(messages.logoMissing, { logo: messages.logoMissing });
  }
  const [png, webp] = [join(folder, 'logo.png'), join(folder, 'logo.webp')];
  const size = { width: LOGO.side, height: LOGO.side };
  const outcome = await deps.pictures.render({
    source: file.path,
    orders: [
      { path: png, format: 'png', ...size },
      { path: webp, format: 'webp', ...size },
    ],
  });
  if (!outcome.ok) {
    if (outcome.reason === 'full') throw refuse.storageFull(baseMessages.storageFull);
    const problem = PROBLEMS[outcome.reason];
    throw refuse.invalid(problem, { logo: problem });
  }
  const [asPng, asWebp] = [sure(outcome.made[0]), sure(outcome.made[1])];
  const isPng = asPng.bytes <= Math.max(LARGEST_PNG, asWebp.bytes);
  return {
    name: `${(isPng ? asPng : asWebp).sha256.slice(0, 32)}.${isPng ? 'png' : 'webp'}`,
    type: isPng ? 'image/png' : 'image/webp',
    content: await readFile(isPng ? png : webp),
    width: asPng.width,
    height: asPng.height,
  };
}

const PROBLEMS = {
  type: messages.logoType,
  dimensions: messages.logoDimensions,
  unreadable: messages.logoUnreadable,
} as const;
