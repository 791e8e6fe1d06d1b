import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { baseMessages } from '#base/messages.ts';
import { refuse } from '#base/refusal.ts';
import { record } from '#server/audit.ts';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import type { UploadedFile } from '#server/http/multipart.ts';
import type { FileAnswer } from '#server/http/serve.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { LOGO, type School } from '../admin-contract.ts';
import { messages } from '../contract.ts';
import { type Answer, holdWhole, kept, requireWhole } from './actions.ts';
import { deleteLogo, findLogo, type Logo, saveLogo } from './logo-store.ts';

const ADDRESS = '/api/schools/logos';
const YEAR_SECONDS = 31_536_000;

// PNG keeps lines and letters sharp, but a photo would be several times as large.
const LARGEST_PNG = 100_000;

/** Which school, and which version of it the caller has seen. */
type Which = Readonly<{ id: number; ifMatch: number | undefined }>;

/** Sets or replaces a school's logo. The uploaded bytes are never kept: the picture is encoded anew. */
export async function changeLogo(
  deps: Deps,
  viewer: Viewer,
  request: Request,
  { id, ifMatch, file, folder }: Which & { file: UploadedFile | undefined; folder: string | undefined },
): Promise<Answer> {
  await requireWhole(deps.database.db, viewer, id);
  if (file === undefined || folder === undefined) {
    throw refuse.invalid(messages.logoMissing, { logo: messages.logoMissing });
  }
  const logo = await makeAnew(deps, file, folder);
  return transaction(deps.database, async (trx) => {
    const before = await holdWhole(trx, viewer, id, ifMatch);
    await saveLogo(trx, id, { ...logo, url: `${ADDRESS}/${logo.name}`, at: request.at });
    const school = await requireWhole(trx, viewer, id);
    await record(trx, actorOf(viewer, request), { ...deedOn(before, school), action: 'school.logo' });
    return { school, message: text(deps, messages.logoUpdated) };
  });
}

/** Removes a school's logo; a school without one is answered unchanged. */
export function takeLogoAway(
  deps: Deps,
  viewer: Viewer,
  request: Request,
  { id, ifMatch }: Which,
): Promise<Answer> {
  return transaction(deps.database, async (trx) => {
    const before = await holdWhole(trx, viewer, id, ifMatch);
    if (before.logoUrl !== null) {
      await deleteLogo(trx, id);
      const school = await requireWhole(trx, viewer, id);
      await record(trx, actorOf(viewer, request), {
        ...deedOn(before, school),
        action: 'school.logo-remove',
      });
    }
    return { school: await requireWhole(trx, viewer, id), message: text(deps, messages.logoRemoved) };
  });
}

/**
 * A logo by its name. The name changes with the content, so browsers may keep it. 404 when no school has it any
 * more.
 */
export async function logoFile(deps: Deps, name: string): Promise<FileAnswer> {
  const logo = await findLogo(deps.database.db, name);
  if (logo === undefined) throw refuse.notFound(baseMessages.notFound);
  return {
    name,
    type: logo.type,
    content: logo.content,
    shown: { keptSeconds: YEAR_SECONDS, isPublic: true },
  };
}

async function makeAnew(deps: Deps, file: UploadedFile, folder: string): Promise<Logo> {
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
  const [asPng, asWebp] = outcome.made;
  if (asPng === undefined || asWebp === undefined) throw new Error('fewer pictures were made than ordered');
  const isPng = asPng.bytes <= Math.max(LARGEST_PNG, asWebp.bytes);
  return {
    name: `${(isPng ? asPng : asWebp).sha256.slice(0, 32)}.${isPng ? 'png' : 'webp'}`,
    type: isPng ? 'image/png' : 'image/webp',
    content: await readFile(isPng ? png : webp),
  };
}

const PROBLEMS = {
  type: messages.logoType,
  dimensions: messages.logoDimensions,
  unreadable: messages.logoUnreadable,
} as const;

function deedOn(before: School, school: School) {
  const { id } = school;
  return { subject: 'school', subjectId: id, schoolId: id, before: kept(before), after: kept(school) };
}
