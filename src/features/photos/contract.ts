import * as z from 'zod/mini';
import { CategoryRef } from '#features/activities/categories/contract.ts';
import { PersonRef } from '#features/users/contract.ts';
import { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { translationsOf } from '#shared/content-translations.ts';
import { endpoint } from '#shared/endpoint.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText, idOr } from '#shared/id.ts';
import { IMAGE_LIMITS } from '#shared/image-limits.ts';
import { pageQuery, pageReply, searchQuery } from '#shared/list-query.ts';
import { optionalText, requiredText } from '#shared/text-normalization.ts';
import type text from './messages.en.json';

const say = messageFactory<typeof text>('photos');

/**
 * The maximum number of files per upload, of bytes per file, and of photos per user within 24 hours. The hint on the screen
 * states a lower limit (specification section 5).
 */
export const UPLOAD = { field: 'photos', files: 5, bytes: 15_728_640, aDay: 200 } as const;

/** Lengths, in characters (specification section 9). */
export const LIMITS = { caption: 500, reason: 500, consentText: 500 } as const;

/**
 * The stored sizes of every photo by longest side in pixels, all upright and without metadata. A background job adds `large`
 * and `screen` as AVIF after the upload: `large` is a smaller file for the size of `view`, and `screen` fills a phone that is
 * 440 CSS pixels wide at three device pixels per CSS pixel.
 */
export const SIZES = { thumbnail: 480, screen: 1320, large: 2048, view: 2048, full: 10_000 } as const;
export type Size = keyof typeof SIZES;

/** The number of minutes for which a link to an image works (decisions: signed links). */
export const LINK_MINUTES = 5;

/** Messages of this feature (specification sections 5 and 8, security 2.3). */
export const messages = {
  notFound: say('notFound'),
  failedToLoad: say('failedToLoad'),
  deleted: say('deleted'),
  captionUpdated: say('captionUpdated'),
  restored: say('restored'),
  tooLateToRestore: say('tooLateToRestore'),
  alreadyThere: say('alreadyThere'),
  confirmDelete: say('confirmDelete'),
  previewUnavailable: say('previewUnavailable'),
  invalidType: (file: string, type: string) => say('invalidType', { file, type }),
  tooLarge: say('tooLarge'),
  tooMany: say('tooMany', { max: UPLOAD.files }),
  uploadHint: say('uploadHint', { max: UPLOAD.files }),
  noFiles: say('noFiles'),
  unreadable: (file: string) => say('unreadable', { file }),
  dimensions: (file: string) =>
    say('dimensions', {
      file,
      side: IMAGE_LIMITS.side,
      megapixels: IMAGE_LIMITS.pixels / 1_000_000,
    }),
  empty: (file: string) => say('empty', { file }),
  captionTooLong: say('captionTooLong', { max: LIMITS.caption }),
  consentRequired: say('consentRequired'),
  dailyLimit: say('dailyLimit', { max: UPLOAD.aDay }),
  uploaded: (count: number) => say('uploaded', { count }),
  uploadedForReview: (count: number) => say('uploadedForReview', { count }),
  allThere: (count: number) => say('allThere', { count }),
  uploaderOnly: say('uploaderOnly'),
  linkInvalid: say('linkInvalid'),
  takenDown: say('takenDown'),
  approved: say('approved'),
  nothingToReview: say('nothingToReview'),
  settingsSaved: say('settingsSaved'),
  consentTextRequired: say('consentTextRequired'),
  consentTextTooLong: say('consentTextTooLong', { max: LIMITS.consentText }),
  defaultConsent: say('defaultConsent'),
  notifyAdministrators: say('notifyAdministrators'),
  reasonTooLong: say('reasonTooLong', { max: LIMITS.reason }),
} as const;

/**
 * The visibility of a photo. `visible`: every member of the school sees it. `waiting` for approval: administrators and the
 * uploader do. `reported` (a user asked to hide it): only administrators do.
 */
export const Review = z.enum(['visible', 'waiting', 'reported']);
export type Review = z.infer<typeof Review>;

/**
 * A photo of an activity, with two links that work until `linksExpireAt`; `getPhoto` returns new ones. `signedUrl` is the large
 * image: a JPEG, or AVIF if the request accepts it, and smaller if the request has a `side` (see `getPhotoFile`).
 * `thumbnailSignedUrl` is a WebP image. Both are addresses on this server. `width` and `height` are those of the upright image;
 * the smaller sizes have the same proportions. `fileSize` is the size of the uploaded file in bytes.
 */
export const Photo = z.object({
  id: Id,
  caption: z.nullable(z.string()),
  originalName: z.string(),
  fileSize: z.int(),
  width: z.int(),
  height: z.int(),
  createdAt: Instant,
  googlePhotosUrl: z.nullable(z.string()),
  googlePhotosId: z.nullable(z.string()),
  /** The uploader, for administrators only (specification section 6). */
  user: z.nullable(PersonRef),
  activity: z.object({
    id: Id,
    name: z.string(),
    activeFrom: z.nullable(CalendarDate),
    category: CategoryRef,
  }),
  schoolId: Id,
  containsStudents: z.boolean(),
  review: Review,
  thumbnailSignedUrl: z.string(),
  signedUrl: z.string(),
  linksExpireAt: Instant,
  version: z.int(),
  canEdit: z.boolean(),
  canDelete: z.boolean(),
});
export type Photo = z.infer<typeof Photo>;

/** A deleted photo, which is removed permanently at `removedAt`. Its links work only while it is in the trash. */
export const DeletedPhoto = z.object({
  ...Photo.shape,
  deletedAt: Instant,
  deletedBy: z.nullable(PersonRef),
  removedAt: Instant,
});
export type DeletedPhoto = z.infer<typeof DeletedPhoto>;

/** A photo that an administrator must decide on. `takedown` is set if a user asked to hide it. */
export const PhotoToReview = z.object({
  ...Photo.shape,
  takedown: z.nullable(z.object({ reason: z.nullable(z.string()), at: Instant, by: z.nullable(PersonRef) })),
});
export type PhotoToReview = z.infer<typeof PhotoToReview>;

/**
 * Whether the viewer may edit the caption and delete the photo. Every member of the school may, or only the uploader with
 * `PHOTO_MANAGERS=uploader`. Administrators always may (decisions: who may do what).
 */
export function canChangePhoto(
  viewer: { userId: number; isMember: boolean; isManager: boolean },
  uploaderId: number,
  managers: 'members' | 'uploader',
): boolean {
  const mayAsMember = managers === 'members' || viewer.userId === uploaderId;
  return viewer.isManager || (viewer.isMember && mayAsMember);
}

const byId = z.object({ id: IdText });
const total = { pagination: z.object({ total: z.int() }) };
const photoPage = z.object({ photos: z.array(Photo), ...pageReply, ...total });
const onePhoto = z.object({ photo: Photo, message: z.string() });

/** Lists the photos of a school that the viewer may see, latest first. */
export const listSchoolPhotos = endpoint('GET', '/schools/:id/photos', {
  params: byId,
  query: z.object(pageQuery),
  reply: photoPage,
});

/** Lists the photos of an activity that the viewer may see, latest first. 404 when `schoolId` is not the activity's school. */
export const listActivityPhotos = endpoint('GET', '/activities/:id/photos', {
  params: byId,
  query: z.object({ schoolId: z.optional(IdText), ...pageQuery }),
  reply: photoPage,
});

/** Returns one photo, with new links. */
export const getPhoto = endpoint('GET', '/photos/:id', {
  params: byId,
  reply: z.object({ photo: Photo, signedUrl: z.string(), thumbnailSignedUrl: z.string() }),
});

const FlagText = z.optional(
  z.pipe(
    z.union([z.string(), z.boolean()]),
    z.transform((text) => text === true || text === 'true'),
  ),
);

/** The text fields of an upload, which apply to all of its files. `consent` must be 'true' if the rules require consent. */
export const PhotoUpload = z.object({
  caption: optionalText(LIMITS.caption, messages.captionTooLong),
  schoolId: z.optional(IdText),
  containsStudents: FlagText,
  consent: FlagText,
});
export type PhotoUpload = z.infer<typeof PhotoUpload>;

/**
 * Adds photos: multipart/form-data with 1 to 5 files named `photos` and the fields of `PhotoUpload`. Either all are
 * added or none. For an image that the activity already has, the existing photo is returned. Problems with a file are
 * reported under the field `photos`, with the file's name.
 */
export const uploadPhotos = endpoint('POST', '/activities/:id/photos', {
  params: byId,
  body: PhotoUpload,
  files: {
    field: UPLOAD.field,
    most: UPLOAD.files,
    bytes: UPLOAD.bytes,
    tooMany: messages.tooMany,
    tooLarge: messages.tooLarge,
  },
  /** `photos` has a photo for each file; `added` is the number of those that are new. */
  reply: z.object({ photos: z.array(Photo), added: z.int(), message: z.string() }),
  status: 201,
});

/** A new caption; null or blank removes it. */
export const CaptionChange = z.object({ caption: optionalText(LIMITS.caption, messages.captionTooLong) });
export type CaptionChange = z.infer<typeof CaptionChange>;

export const updatePhoto = endpoint('PUT', '/photos/:id', {
  params: byId,
  body: CaptionChange,
  reply: onePhoto,
});

/** Soft-deletes a photo. */
export const deletePhoto = endpoint('DELETE', '/photos/:id', {
  params: byId,
  reply: z.object({ message: z.string() }),
});

/** Restores a deleted photo. */
export const restorePhoto = endpoint('POST', '/photos/:id/restore', { params: byId, reply: onePhoto });

/** Hides a photo immediately from everyone except administrators, who then decide. */
export const takePhotoDown = endpoint('POST', '/photos/:id/takedown', {
  params: byId,
  body: z.object({ reason: optionalText(LIMITS.reason, messages.reasonTooLong) }),
  reply: z.object({ message: z.string() }),
});

/**
 * Returns the image of a signed link; clients never build such links. They may add the smallest acceptable longest side in
 * pixels, as in `&side=1320`. The reply may then be a smaller rendition that is large enough.
 */
export const getPhotoFile = endpoint('GET', '/photos/:id/files/:size', {
  params: z.object({ id: IdText, size: z.string() }),
  query: z.object({
    expires: z.optional(z.string()),
    signature: z.optional(z.string()),
    side: z.optional(z.string()),
  }),
  file: true,
});

/**
 * The rules that the upload form shows: the consent text in the viewer's language (null if no consent is required), and whether
 * photos are reviewed. `consentLanguage` is set if the text is in another language.
 */
export const PhotoRules = z.object({
  consentText: z.nullable(z.string()),
  consentLanguage: z.optional(z.enum(LANGUAGES)),
  review: z.boolean(),
});
export type PhotoRules = z.infer<typeof PhotoRules>;

export const getPhotoRules = endpoint('GET', '/photos/rules', { reply: z.object({ rules: PhotoRules }) });

const schoolFilter = { schoolId: z.optional(IdText) };

/** Lists photos of one school, or of all schools whose photos the viewer sees through a role, latest first. */
export const listGrantedPhotos = endpoint('GET', '/admin/photos', {
  query: z.object({ ...schoolFilter, ...pageQuery }),
  reply: photoPage,
});

/** An activity that has photos. `latest` is the latest photo that all members of the school see, or null if there is none. */
export const ActivityWithPhotos = z.object({
  id: Id,
  name: z.string(),
  category: CategoryRef,
  schoolId: Id,
  photoCount: z.int(),
  latest: z.nullable(Photo),
});
export type ActivityWithPhotos = z.infer<typeof ActivityWithPhotos>;

/** Lists the activities that have photos, by name. */
export const listActivitiesWithPhotos = endpoint('GET', '/admin/photos/activities', {
  query: z.object({ ...schoolFilter, ...searchQuery, ...pageQuery }),
  reply: z.object({ activities: z.array(ActivityWithPhotos), ...pageReply }),
});

/** Lists deleted photos, latest deletion first. */
export const listDeletedPhotos = endpoint('GET', '/admin/photos/trash', {
  query: z.object({ ...schoolFilter, ...pageQuery }),
  reply: z.object({ photos: z.array(DeletedPhoto), ...pageReply, ...total }),
});

/** Lists photos that administrators must decide on, oldest upload first. Rejecting a photo means deleting it. */
export const listPhotosToReview = endpoint('GET', '/admin/photos/review', {
  query: z.object({ ...schoolFilter, ...pageQuery }),
  reply: z.object({ photos: z.array(PhotoToReview), ...pageReply, ...total }),
});

/** Counts the photos that administrators must decide on. */
export const countPhotosToReview = endpoint('GET', '/admin/photos/review/count', {
  query: z.object(schoolFilter),
  reply: z.object({ count: z.int() }),
});

/** Approves a pending photo, or shows a reported one again. 409 if the photo is visible already. */
export const approvePhoto = endpoint('POST', '/admin/photos/:id/approve', { params: byId, reply: onePhoto });

/** The settings texts that may be translated. */
export const TRANSLATED = ['consentText'] as const;

const translations = translationsOf<(typeof TRANSLATED)[number]>({ consentText: LIMITS.consentText });

/**
 * The district's settings: whether an upload requires consent and with which text, whether photos need approval, and which
 * administrators get an email about a request to hide a photo (all of them if the list is empty).
 */
export const PhotoSettings = z.object({
  consent: z.boolean(),
  consentText: z.string(),
  translations: translations.Shown,
  review: z.boolean(),
  notify: z.array(Id),
});
export type PhotoSettings = z.infer<typeof PhotoSettings>;

export const PhotoSettingsChange = z.object({
  consent: z.optional(z.boolean()),
  consentText: z.optional(
    requiredText(LIMITS.consentText, messages.consentTextRequired, messages.consentTextTooLong),
  ),
  translations: translations.Given,
  review: z.optional(z.boolean()),
  notify: z.optional(z.array(idOr(messages.notifyAdministrators)).check(z.maxLength(50))),
});
export type PhotoSettingsChange = z.infer<typeof PhotoSettingsChange>;

export const getPhotoSettings = endpoint('GET', '/admin/photos/settings', {
  reply: z.object({ settings: PhotoSettings }),
});

export const updatePhotoSettings = endpoint('PUT', '/admin/photos/settings', {
  freshProof: { when: 'photos no longer wait for approval' },
  body: PhotoSettingsChange,
  reply: z.object({ settings: PhotoSettings, message: z.string() }),
});
