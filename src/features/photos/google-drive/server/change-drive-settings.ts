import { saveSetting } from '#features/schools/district-settings/server/settings.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { isUnchanged } from '#server/http/change-checks.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { errors } from '#shared/errors.ts';
import { type DriveSettingsChange, messages } from '../contract.ts';
import {
  DRIVE_SETTINGS_KEY,
  driveAccessTokens,
  driveErrorMessage,
  readDriveSettings,
  requireGoogleClient,
} from './connection.ts';
import { DRIVE_ID, type DriveFile, FOLDER_TYPE, openDrive } from './drive-client.ts';
import { deleteRootFolder, findRootFolder, saveRootFolder } from './file-store.ts';
import { findUntrashed, folderUrl } from './folders.ts';
import { toDriveFailure } from './google-errors.ts';

const FOLDER_TRIES = 2;

/**
 * Changes the settings; omitted ones stay. 400 for a folder that this product cannot see or cannot write to. Existing
 * folders of activities stay where they are.
 */
export async function changeDriveSettings(
  deps: Deps,
  viewer: Viewer,
  request: Request,
  change: DriveSettingsChange,
): Promise<string> {
  // The call to Google comes before the transaction.
  const folder =
    typeof change.folder === 'string' ? await findChosenFolder(deps, change.folder) : change.folder;
  return transaction(deps.database, async (trx) => {
    const before = await readDriveSettings(trx);
    const settings = { nightly: change.nightly ?? before.nightly };
    const isSame = folder === undefined || (await isChosenAlready(trx, folder));
    if (isSame && isUnchanged(before, settings)) return translate(deps, messages.settingsSaved);
    await saveSetting(trx, DRIVE_SETTINGS_KEY, settings);
    const names = folder === undefined ? {} : await changeRootFolder(trx, folder);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'drive.settings',
      subject: 'drive',
      subjectId: null,
      before: { ...before, ...names.before },
      after: { ...settings, ...names.after },
    });
    return translate(deps, messages.settingsSaved);
  });
}

async function isChosenAlready(trx: Trx, folder: DriveFile | null): Promise<boolean> {
  const root = await findRootFolder(trx);
  const chosen = root?.isChosen === true ? root.id : null;
  return chosen === (folder?.id ?? null);
}

type FolderName = { folder: string | null };

async function changeRootFolder(
  trx: Trx,
  folder: DriveFile | null,
): Promise<{ before?: FolderName; after?: FolderName }> {
  const before = { folder: (await findRootFolder(trx))?.name ?? null };
  await deleteRootFolder(trx);
  if (folder === null) return { before, after: { folder: null } };
  const { id, name } = folder;
  await saveRootFolder(trx, { id, name, url: folderUrl(folder), isReady: true, isChosen: true }, undefined);
  return { before, after: { folder: name } };
}

async function findChosenFolder(deps: Deps, link: string): Promise<DriveFile> {
  const id = parseFolderId(link);
  if (id === undefined) throw errors.invalid(messages.folderLink, { folder: messages.folderLink });
  const client = requireGoogleClient(deps);
  const drive = openDrive(client.google, {
    access: driveAccessTokens(deps, client),
    clock: deps.clock,
    random: Math.random,
    tries: FOLDER_TRIES,
  });
  const found = await findUntrashed(drive, id).catch((error: unknown) => {
    throw errors.conflict(driveErrorMessage(toDriveFailure(error)));
  });
  if (found?.mimeType !== FOLDER_TYPE || found.capabilities.canAddChildren === false) {
    throw errors.invalid(messages.folderNotSeen, { folder: messages.folderNotSeen });
  }
  return found;
}

// 'https://drive.google.com/drive/u/0/folders/1AbC...?usp=sharing', '...?id=1AbC...', or the id alone.
function parseFolderId(link: string): string | undefined {
  const given = link.trim();
  const [, id = given] = /(?:\/folders\/|[?&]id=)([^/?#&]+)/.exec(given) ?? [];
  return DRIVE_ID.test(id) ? id : undefined;
}
