import * as z from 'zod/mini';
import type { CalendarDate } from '#base/calendar-date.ts';
import { Instant } from '#base/calendar-date.ts';
import { endpoint } from '#base/endpoint.ts';
import { Id, IdText, idOr } from '#base/id.ts';
import { sayFrom } from '#base/message.ts';
import { PersonRef } from '#rooms/users/contract.ts';
import type text from './text.en.json';

const say = sayFrom<typeof text>('drive-sync');

/** The size of Google's consent window, and how long the page waits for its message (specification section 9). */
export const POPUP = { width: 500, height: 600, waitMs: 10_000 } as const;

/** How many activities one call takes, and how many failed photos are listed by name. */
export const LIMITS = { activities: 100, failures: 50, folderLink: 500 } as const;

/** Sentences of this room (specification sections 5 and 8, security 2.3). */
export const messages = {
  popupBlocked: say('popupBlocked'),
  failedToConnect: (reason: string) => say('failedToConnect', { reason }),
  couldNotVerify: say('couldNotVerify'),
  couldNotCheck: say('couldNotCheck'),
  notConnected: say('notConnected'),
  notConfigured: say('notConfigured'),
  requestInvalid: say('requestInvalid'),
  declined: say('declined'),
  accessNotGiven: say('accessNotGiven'),
  cannotReach: say('cannotReach'),
  clientRefused: say('clientRefused'),
  connected: say('connected'),
  closeWindow: say('closeWindow'),
  notConnectedTitle: say('notConnectedTitle'),
  disconnected: say('disconnected'),
  disconnectedHere: say('disconnectedHere'),
  selectActivity: say('selectActivity'),
  tooManyActivities: say('tooManyActivities', { max: LIMITS.activities }),
  activityNotFound: say('activityNotFound'),
  noPhotos: (name: string) => say('noPhotos', { name }),
  syncFailed: say('syncFailed'),
  failedToSync: (name: string, reason: string) => say('failedToSync', { name, reason }),
  somePhotosFailed: (count: number) => say('somePhotosFailed', { count }),
  driveFull: say('driveFull'),
  apiOff: say('apiOff'),
  tooManyRequests: say('tooManyRequests'),
  refusedByGoogle: say('refusedByGoogle'),
  photoMissing: say('photoMissing'),
  cancelled: say('cancelled'),
  syncNotFound: say('syncNotFound'),
  syncCancelled: say('syncCancelled'),
  settingsSaved: say('settingsSaved'),
  folderLink: say('folderLink'),
  folderNotSeen: say('folderNotSeen'),
  rootFolder: (district: string) => say('rootFolder', { district }),
} as const;

/**
 * What the window tells the page that opened it, by `window.opener.postMessage` (to PUBLIC_URL's origin alone) and on
 * the BroadcastChannel of this name. It carries nothing else; the status call says why connecting failed.
 */
export const CONNECTION_MESSAGE = 'google-drive-connection';
export const ConnectionMessage = z.object({ type: z.literal(CONNECTION_MESSAGE), ok: z.boolean() });
export type ConnectionMessage = z.infer<typeof ConnectionMessage>;

/** A folder in Drive, with the address that shows it. */
export const DriveFolder = z.object({ name: z.string(), url: z.string() });
export type DriveFolder = z.infer<typeof DriveFolder>;

/**
 * The folder of an activity: its name, then the day it begins, else the day it was made (specification section 9).
 * 'Field Day', '2026-05-29' -> 'Field Day 2026-05-29'.
 */
export function folderName(activityName: string, day: CalendarDate): string {
  return `${activityName} ${day}`;
}

/**
 * Whether photos can go to Drive. `configured`: the installation has Google's client settings, else `redirectUrl` is
 * what is to be entered at Google. `connected`: there is a connection that works as far as is known. `lost`: there was
 * one, and Google does not take it any more (`connected` is false then). `account` is the address of the Google account,
 * also of a lost connection. `problem`: why the viewer's own latest try to connect failed, for ten minutes.
 */
export const DriveStatus = z.object({
  configured: z.boolean(),
  connected: z.boolean(),
  lost: z.boolean(),
  account: z.nullable(z.string()),
  connectedAt: z.nullable(Instant),
  connectedBy: z.nullable(PersonRef),
  redirectUrl: z.string(),
  problem: z.nullable(z.string()),
  /** Where the folders of activities are made; null until the first sync has made it. */
  folder: z.nullable(DriveFolder),
  /** Whether activities whose photos changed are synced every night. */
  nightly: z.boolean(),
});
export type DriveStatus = z.infer<typeof DriveStatus>;

export const getDriveStatus = endpoint('GET', '/admin/google-drive/status', { reply: DriveStatus });

/** Where to send the window. Works once, within ten minutes, for the session that asked. 409 when not configured. */
export const getDriveAuthUrl = endpoint('GET', '/admin/google-drive/auth-url', {
  reply: z.object({ authUrl: z.string() }),
});

/** Forgets the connection and tells Google so. What was synced stays in Drive. */
export const disconnectDrive = endpoint('POST', '/admin/google-drive/disconnect', {
  isLong: true,
  reply: z.object({ status: DriveStatus, message: z.string() }),
});

/**
 * `folder`: the link of a folder in Drive that photos go to from now on, null for the one that this product makes. 400
 * when Google does not show it to this product.
 */
export const DriveSettingsChange = z.object({
  nightly: z.optional(z.boolean()),
  folder: z.optional(
    z.nullable(z.string(messages.folderLink).check(z.maxLength(LIMITS.folderLink, messages.folderLink))),
  ),
});
export type DriveSettingsChange = z.infer<typeof DriveSettingsChange>;

export const updateDriveSettings = endpoint('PUT', '/admin/google-drive/settings', {
  isLong: true,
  body: DriveSettingsChange,
  reply: z.object({ status: DriveStatus, message: z.string() }),
});

/**
 * How the sync of one activity ended. `success` is false when a photo failed or the sync did not get that far; `error` is
 * then why, and 'No photos found to sync for ...' when there was nothing to do. `skipped` were in Drive already.
 */
export const SyncResult = z.object({
  activityId: Id,
  success: z.boolean(),
  error: z.nullable(z.string()),
  successful: z.int(),
  skipped: z.int(),
  failed: z.int(),
  folder: z.nullable(DriveFolder),
});
export type SyncResult = z.infer<typeof SyncResult>;

/** Which activities to sync. */
export const SyncInput = z.object({
  activityIds: z
    .array(idOr(messages.activityNotFound), messages.selectActivity)
    .check(
      z.minLength(1, messages.selectActivity),
      z.maxLength(LIMITS.activities, messages.tooManyActivities),
    ),
});
export type SyncInput = z.infer<typeof SyncInput>;

/**
 * Copies the photos of activities to Drive and answers when that is done, in the order asked for; `success` is false if
 * any result is. The work goes on when the caller does not wait, and after a restart. 404 when one of the activities is
 * not there, 409 when Drive is not connected (any more).
 */
export const syncActivities = endpoint('POST', '/admin/google-drive/sync-activities', {
  isLong: true,
  body: SyncInput,
  reply: z.object({ success: z.boolean(), results: z.array(SyncResult) }),
});

/** `queued`, then `running`, then one of the others. */
export const SyncState = z.enum(['queued', 'running', 'done', 'failed', 'cancelled']);
export type SyncState = z.infer<typeof SyncState>;

/** How many photos a sync is about, and how they ended so far; `total` is 0 until the activity's turn. */
const counts = { total: z.int(), successful: z.int(), skipped: z.int(), failed: z.int() };

/** An activity within a sync. */
export const ActivitySync = z.object({
  activityId: Id,
  name: z.string(),
  state: SyncState,
  error: z.nullable(z.string()),
  folder: z.nullable(DriveFolder),
  ...counts,
});
export type ActivitySync = z.infer<typeof ActivitySync>;

/**
 * A sync, of one or several activities. `waitingUntil`: Google asked for a pause, until about then. `failures` tells
 * the first photos that failed. `startedBy` is null for the nightly one.
 */
export const Sync = z.object({
  id: Id,
  kind: z.enum(['manual', 'nightly']),
  state: SyncState,
  startedBy: z.nullable(PersonRef),
  startedAt: Instant,
  finishedAt: z.nullable(Instant),
  waitingUntil: z.nullable(Instant),
  photos: z.object(counts),
  activities: z.array(ActivitySync),
  failures: z.array(
    z.object({ activityId: Id, photoId: Id, originalName: z.nullable(z.string()), error: z.string() }),
  ),
});
export type Sync = z.infer<typeof Sync>;

/**
 * The sync that is under way, else the latest one, else null: what a page shows on opening, and polls for its bar.
 */
export const getCurrentSync = endpoint('GET', '/admin/google-drive/sync', {
  reply: z.object({ sync: z.nullable(Sync) }),
});

/** One sync, under way or over. */
export const getSync = endpoint('GET', '/admin/google-drive/syncs/:id', {
  params: z.object({ id: IdText }),
  reply: z.object({ sync: Sync }),
});

/** Stops a sync: photos under way are finished, no further ones begun. One that is over stays as it is. */
export const cancelSync = endpoint('POST', '/admin/google-drive/syncs/:id/cancel', {
  params: z.object({ id: IdText }),
  reply: z.object({ sync: Sync, message: z.string() }),
});
