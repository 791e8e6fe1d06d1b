import { record } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/error-replies.ts';
import type { UploadedFile } from '#server/http/multipart.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { districtLogoMessages } from '../admin-contract.ts';
import { lockSettings } from '../district-settings/server/settings.ts';
import { encodeLogo, urlOf } from './logo-image.ts';
import { saveDistrictLogo } from './stored-district-logo.ts';

/** Sets or replaces the district's logo. As with a school's, the uploaded bytes are never kept. */
export async function changeDistrictLogo(
  deps: Deps,
  { viewer, request }: Acting,
  { file, folder }: { file: UploadedFile | undefined; folder: string | undefined },
) {
  const logo = await encodeLogo(deps, file, folder);
  const logoUrl = urlOf(logo);
  await transaction(deps.database, async (trx) => {
    await lockSettings(trx);
    const before = await saveDistrictLogo(trx, { ...logo, url: logoUrl });
    if (before === logoUrl) return;
    await record(trx, actorOf(viewer, request), deed('district.logo', before, logoUrl));
  });
  await deps.settings.refresh();
  return { logoUrl, message: text(deps, districtLogoMessages.saved) };
}

/** Removes the district's logo; without one nothing changes. */
export async function removeDistrictLogoFile(deps: Deps, { viewer, request }: Acting) {
  await transaction(deps.database, async (trx) => {
    await lockSettings(trx);
    const before = await saveDistrictLogo(trx, undefined);
    if (before === null) return;
    await record(trx, actorOf(viewer, request), deed('district.logo-remove', before, null));
  });
  await deps.settings.refresh();
  return { logoUrl: null, message: text(deps, districtLogoMessages.removed) };
}

function deed(action: 'district.logo' | 'district.logo-remove', before: string | null, after: string | null) {
  return {
    action,
    subject: 'setting',
    subjectId: null,
    before: { logoUrl: before },
    after: { logoUrl: after },
  } as const;
}
