import * as z from 'zod/mini';
import type { Db, Trx } from '#server/db/database.ts';
import {
  findSetting,
  readStoredDistrict,
  saveSetting,
  saveStoredDistrict,
} from '../district-settings/server/settings.ts';
import type { MadeLogo } from './logo-image.ts';
import type { Logo } from './logo-store.ts';

const NAME = 'districtLogo';

/** A picture among the settings, in base64. */
const Kept = z.nullable(
  z.object({ name: z.string(), type: z.enum(['image/png', 'image/webp']), content: z.string() }),
);

/** The district's logo; undefined without one. With `name`, only when it is called so. */
export async function findDistrictLogo(db: Db, name?: string): Promise<Logo | undefined> {
  const kept = Kept.parse((await findSetting(db, NAME)) ?? null);
  if (kept === null || (name !== undefined && kept.name !== name)) return undefined;
  return { ...kept, content: Buffer.from(kept.content, 'base64') };
}

/** Sets the district's logo, or removes it; returns the address of the one before. The settings must be held. */
export async function saveDistrictLogo(
  trx: Trx,
  logo: (MadeLogo & { url: string }) | undefined,
): Promise<string | null> {
  const kept = await readStoredDistrict(trx);
  await saveSetting(trx, NAME, logo === undefined ? null : rowOf(logo));
  await saveStoredDistrict(trx, { ...kept, logo: logo === undefined ? null : shownOf(logo) });
  return kept.logo?.url ?? null;
}

function rowOf({ name, type, content }: Logo) {
  return { name, type, content: content.toString('base64') };
}

function shownOf({ url, width, height }: MadeLogo & { url: string }) {
  return { url, width, height };
}
