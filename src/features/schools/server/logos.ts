import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { UploadedFile } from '#server/http/multipart.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { districtLogoMessages, LOGO } from '../admin-contract.ts';
import { messages } from '../contract.ts';
import {
  findSetting,
  lockSettings,
  readStoredDistrict,
  saveSetting,
  saveStoredDistrict,
} from '../district-settings/server/settings.ts';
import { changeEvent, lockAndFindSchool, requireSchool, type SchoolReply } from './actions.ts';
import { deleteLogo, findLogo, type Logo, saveLogo } from './store.ts';

const PATH = '/api/schools/logos';

// PNG keeps lines and letters sharp, but for a photo it would be several times as large as WebP.
const MAX_PNG_BYTES = 100_000;

/** An encoded logo with its URL and its size in pixels. */
type EncodedLogo = Logo & Readonly<{ url: string; width: number; height: number }>;

// Decodes and re-encodes an uploaded logo. Throws 400 if the file is missing or not an image.
async function encodeLogo(
  deps: Deps,
  file: UploadedFile | undefined,
  folder: string | undefined,
): Promise<EncodedLogo> {
  if (file === undefined || folder === undefined) {
    throw errors.invalid(messages.logoMissing, { logo: messages.logoMissing });
  }
  const [png, webp] = [join(folder, 'logo.png'), join(folder, 'logo.webp')];
  const size = { width: LOGO.side, height: LOGO.side };
  const outcome = await deps.imageWorkers.render({
    source: file.path,
    orders: [
      { path: png, format: 'png', ...size },
      { path: webp, format: 'webp', ...size },
    ],
  });
  if (!outcome.ok) {
    if (outcome.reason === 'full') throw errors.storageFull(commonMessages.storageFull);
    const problem = PROBLEMS[outcome.reason];
    throw errors.invalid(problem, { logo: problem });
  }
  const [asPng, asWebp] = [assertDefined(outcome.made[0]), assertDefined(outcome.made[1])];
  const isPng = asPng.bytes <= Math.max(MAX_PNG_BYTES, asWebp.bytes);
  const name = `${(isPng ? asPng : asWebp).sha256.slice(0, 32)}.${isPng ? 'png' : 'webp'}`;
  return {
    name,
    url: `${PATH}/${name}`,
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

const SETTING_NAME = 'districtLogo';

/** An image stored in the settings, in base64. */
const StoredLogo = z.nullable(
  z.object({ name: z.string(), type: z.enum(['image/png', 'image/webp']), content: z.string() }),
);

/** Returns the district's logo, or undefined. With `name`, only if the logo has that name. */
export async function findDistrictLogo(db: Db, name?: string): Promise<Logo | undefined> {
  const stored = StoredLogo.parse((await findSetting(db, SETTING_NAME)) ?? null);
  if (stored === null || (name !== undefined && stored.name !== name)) return undefined;
  return { ...stored, content: Buffer.from(stored.content, 'base64') };
}

const YEAR_SECONDS = 31_536_000;

/** A school, and the version that the caller has seen. */
type Which = Readonly<{ id: number; ifMatch: number | undefined }>;

/** Sets or replaces a school's logo. The upload is re-encoded, so its bytes are never stored. */
export async function changeLogo(
  deps: Deps,
  { viewer, request }: Acting,
  { id, ifMatch, file, folder }: Which & { file: UploadedFile | undefined; folder: string | undefined },
): Promise<SchoolReply> {
  await requireSchool(deps.database.db, viewer, id);
  const logo = await encodeLogo(deps, file, folder);
  return transaction(deps.database, async (trx) => {
    const before = await lockAndFindSchool(trx, viewer, id, ifMatch);
    await saveLogo(trx, id, { ...logo, at: request.at });
    const school = await requireSchool(trx, viewer, id);
    await recordEvent(trx, actorOf(viewer, request), changeEvent('school.logo', before, school));
    return { school, message: translate(deps, messages.logoUpdated) };
  });
}

/** Removes a school's logo. Returns a school without a logo unchanged. */
export function removeLogoFile(
  deps: Deps,
  { viewer, request }: Acting,
  { id, ifMatch }: Which,
): Promise<SchoolReply> {
  return transaction(deps.database, async (trx) => {
    const before = await lockAndFindSchool(trx, viewer, id, ifMatch);
    const message = translate(deps, messages.logoRemoved);
    if (before.logoUrl === null) return { school: before, message };
    await deleteLogo(trx, id);
    const school = await requireSchool(trx, viewer, id);
    await recordEvent(trx, actorOf(viewer, request), changeEvent('school.logo-remove', before, school));
    return { school, message };
  });
}

/**
 * Returns a school's or the district's logo by name. The name changes with the content, so browsers may cache it. Throws 404 if
 * neither a school nor the district has that logo.
 */
export async function readLogoFile(deps: Deps, name: string): Promise<FileAnswer> {
  const { db } = deps.database;
  const logo = (await findLogo(db, name)) ?? (await findDistrictLogo(db, name));
  if (logo === undefined) throw errors.notFound(commonMessages.notFound);
  return {
    name,
    type: logo.type,
    content: logo.content,
    shown: { keptSeconds: YEAR_SECONDS, isPublic: true },
  };
}

/** Sets or replaces the district's logo. The upload is re-encoded, so its bytes are never stored. */
export async function changeDistrictLogo(
  deps: Deps,
  acting: Acting,
  { file, folder }: { file: UploadedFile | undefined; folder: string | undefined },
) {
  const logo = await encodeLogo(deps, file, folder);
  await saveDistrictLogo(deps, acting, logo);
  return { logoUrl: logo.url, message: translate(deps, districtLogoMessages.saved) };
}

/** Removes the district's logo, if any. */
export async function removeDistrictLogoFile(deps: Deps, acting: Acting) {
  await saveDistrictLogo(deps, acting, null);
  return { logoUrl: null, message: translate(deps, districtLogoMessages.removed) };
}

async function saveDistrictLogo(
  deps: Deps,
  { viewer, request }: Acting,
  logo: EncodedLogo | null,
): Promise<void> {
  await transaction(deps.database, async (trx) => {
    await lockSettings(trx);
    const stored = await readStoredDistrict(trx);
    await saveSetting(
      trx,
      SETTING_NAME,
      logo && { name: logo.name, type: logo.type, content: logo.content.toString('base64') },
    );
    await saveStoredDistrict(trx, {
      ...stored,
      logo: logo && { url: logo.url, width: logo.width, height: logo.height },
    });
    const [before, after] = [stored.logo?.url ?? null, logo?.url ?? null];
    if (before === after) return;
    await recordEvent(trx, actorOf(viewer, request), {
      action: after === null ? 'district.logo-remove' : 'district.logo',
      subject: 'setting',
      subjectId: null,
      before: { logoUrl: before },
      after: { logoUrl: after },
    });
  });
  await deps.settings.refresh();
}
