import { record } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/error-replies.ts';
import type { UploadedFile } from '#server/http/multipart.ts';
import type { FileAnswer } from '#server/http/route-mount.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { baseMessages } from '#shared/common-messages.ts';
import { refuse } from '#shared/errors.ts';
import type { School } from '../admin-contract.ts';
import { messages } from '../contract.ts';
import { type Answer, holdWhole, kept, requireWhole } from './actions.ts';
import { encodeLogo, urlOf } from './logo-image.ts';
import { deleteLogo, findLogo, saveLogo } from './logo-store.ts';
import { findDistrictLogo } from './stored-district-logo.ts';

const YEAR_SECONDS = 31_536_000;

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
  const logo = await encodeLogo(deps, file, folder);
  return transaction(deps.database, async (trx) => {
    const before = await holdWhole(trx, viewer, id, ifMatch);
    await saveLogo(trx, id, { ...logo, url: urlOf(logo), at: request.at });
    const school = await requireWhole(trx, viewer, id);
    await record(trx, actorOf(viewer, request), { ...deedOn(before, school), action: 'school.logo' });
    return { school, message: text(deps, messages.logoUpdated) };
  });
}

/** Removes a school's logo; a school without one is answered unchanged. */
export function removeLogoFile(
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
 * A school's or the district's logo by its name. The name changes with the content, so browsers may keep it. 404 when
 * none of them has it any more.
 */
export async function logoFile(deps: Deps, name: string): Promise<FileAnswer> {
  const { db } = deps.database;
  const logo = (await findLogo(db, name)) ?? (await findDistrictLogo(db, name));
  if (logo === undefined) throw refuse.notFound(baseMessages.notFound);
  return {
    name,
    type: logo.type,
    content: logo.content,
    shown: { keptSeconds: YEAR_SECONDS, isPublic: true },
  };
}

function deedOn(before: School, school: School) {
  const { id } = school;
  return { subject: 'school', subjectId: id, schoolId: id, before: kept(before), after: kept(school) };
}
