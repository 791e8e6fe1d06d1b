import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { deleteEmailsOfKinds } from '#server/email/outbox.ts';
import { allPages, type Column, type Person, type Section } from '#server/personal-data/data-export.ts';
import { expiringRows } from '#server/personal-data/expired-rows-store.ts';
import { hiddenPhotoEmailKind } from './emails.ts';
import {
  clearPhotoPersonalData,
  findHideRequestsOf,
  findPhotoIdsAbout,
  listOwnPhotos,
} from './privacy-store.ts';
import { UNNAMED_FILE } from './store.ts';

/** Returns the photo sections of a user's data export, without other people's reasons for hiding a photo. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [
    { name: 'photoTakedowns', read: () => findHideRequestsOf(db, id) },
    { name: 'photos', pages: () => allPages(db, id, listOwnPhotos) },
  ];
}

/**
 * Deletes file names (which may contain a person's name), the user's reasons, and emails that quote a reason. Photos
 * and captions stay.
 */
export async function deletePersonalData(trx: Trx, _deps: Deps, person: Person): Promise<void> {
  await deleteEmailsOfKinds(trx, await emailsAbout(trx, person));
  await clearPhotoPersonalData(trx, person.id, UNNAMED_FILE);
}

/**
 * Returns the kinds of emails to administrators that may quote a reason for hiding a photo that the user uploaded or reported.
 */
export async function emailsAbout(db: Db, { id }: Person): Promise<readonly string[]> {
  return (await findPhotoIdsAbout(db, id)).map(hiddenPhotoEmailKind);
}

export const DELETED_COLUMNS = [
  'photos.original_name',
  'photos.hidden_reason',
] as const satisfies readonly Column[];

const PHOTO = "the district's record, under 'Former volunteer' (decisions)";
const IMAGE_FILE = 'the storage location and checksum of an image; identifies no one';

export const RETAINED_COLUMNS = {
  'photos.user_id': PHOTO,
  'photos.caption': PHOTO,
  'photos.review': PHOTO,
  'photos.deleted_by': PHOTO,
  'photos.hidden_by': PHOTO,
  'photos.storage_key': IMAGE_FILE,
  'photos.sha256': IMAGE_FILE,
  'photos.source_sha256': IMAGE_FILE,
  'photos.view_sha256': IMAGE_FILE,
  'photos.thumbnail_sha256': IMAGE_FILE,
  'photos.large_sha256': IMAGE_FILE,
  'photos.screen_sha256': IMAGE_FILE,
  'photos.google_photos_url': IMAGE_FILE,
  'photos.google_photos_id': IMAGE_FILE,
} as const satisfies Partial<Record<Column, string>>;

/** Selects photos by upload date, deleted ones included. Their files become due for removal. */
export const photoRetention = expiringRows({
  table: 'photos',
  at: 'created_at',
  about: { people: ['photos.user_id'], school: 'photos.school_id' },
});
