import * as z from 'zod/mini';
import { PersonRef } from '#features/users/contract.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText, idOr } from '#shared/id.ts';
import type serverText from './messages.server.en.json';
import type text from './messages.staff.en.json';

const say = messageFactory<typeof text>('google-drive');
const serverMessage = messageFactory<typeof serverText>('google-drive');

/** The size of Google's consent window, and how long the page waits for a message from it (specification section 9). */
export const POPUP = { width: 500, height: 600, waitMs: 10_000 } as const;

/** Limits of a request: activities, failed photos listed by name, and characters of a folder link. */
export const LIMITS = { activities: 100, failures: 50, folderLink: 500 } as const;

/** Messages of this feature (specification sections 5 and 8, security 2.3). */
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
  rootFolder: (district: string) => serverMessage('rootFolder', { district }),
} as const;

/**
 * The message that the consent window sends to the page that opened it, with `window.opener.postMessage` (only to PUBLIC_URL's
 * origin) and on the BroadcastChannel of this name. It contains no error: `getDriveStatus` returns why connecting failed.
 */
export const CONNECTION_MESSAGE = 'google-drive-connection';
export const ConnectionMessage = z.object({ type: z.literal(CONNECTION_MESSAGE), ok: z.boolean() });
export type ConnectionMessage = z.infer<typeof ConnectionMessage>;

/** A folder in Drive, with the address of its page. */
export const DriveFolder = z.object({ name: z.string(), url: z.string() });
export type DriveFolder = z.infer<typeof DriveFolder>;

/**
 * Returns the name of an activity's folder: the activity's name, then its first day or else the day it was created
 * (specification section 9). 'Field Day', '2026-05-29' -> 'Field Day 2026-05-29'.
 */
export function folderName(activityName: string, day: CalendarDate): string {
  return `${activityName} ${day}`;
}

/**
 * Whether photos can be copied to Drive. `configured`: the installation has Google's client settings; otherwise `redirectUrl`
 * is the address to enter at Google. `connected`: there is a connection that is not known to be broken. `lost`: Google no
 * longer accepts the connection (`connected` is then false). `account` is the address of the Google account, also of a lost
 * connection. `problem`: why the viewer's latest attempt to connect failed, for ten minutes.
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
  /** The parent folder of the activities' folders; null until the first sync creates it. */
  folder: z.nullable(DriveFolder),
  /** The name of the folder that a sync creates. It does not depend on the user who starts the sync. */
  newFolder: z.string(),
  /** Whether activities whose photos changed are synced every night. */
  nightly: z.boolean(),
});
export type DriveStatus = z.infer<typeof DriveStatus>;

export const getDriveStatus = endpoint('GET', '/admin/google-drive/status', { reply: DriveStatus });

/**
 * Returns the address for the window. It works once, within ten minutes, for the session that requested it and in the
 * same browser, which a cookie recognizes. 409 when not configured.
 */
export const getDriveAuthUrl = endpoint('GET', '/admin/google-drive/auth-url', {
  freshProof: 'always',
  reply: z.object({ authUrl: z.string() }),
});

/** Deletes the connection and revokes it at Google. Photos already synced stay in Drive. */
export const disconnectDrive = endpoint('POST', '/admin/google-drive/disconnect', {
  isLong: true,
  reply: z.object({ status: DriveStatus, message: z.string() }),
});

/**
 * `folder` is the link to the Drive folder for new activity folders, or null for the folder that the app creates. 400 if Google
 * does not give the app access to it.
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
 * The result of syncing one activity. `success` is false if a photo failed or the sync stopped before this activity; `error` is
 * the reason, or 'No photos found to sync for ...' if there were none. `skipped` counts photos that were already in Drive.
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

/** The activities to sync. */
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
 * Copies the photos of activities to Drive and replies when that is done, with results in the order of the request. `success`
 * is true only if every result is. The work continues if the caller disconnects, and after a restart. 404 if one of the
 * activities does not exist, 409 if Drive is not connected.
 */
export const syncActivities = endpoint('POST', '/admin/google-drive/sync-activities', {
  isLong: true,
  body: SyncInput,
  reply: z.object({ success: z.boolean(), results: z.array(SyncResult) }),
});

/** The state of a sync or of an activity in it. Only `queued` and `running` can still change. */
export const SyncState = z.enum(['queued', 'running', 'done', 'failed', 'cancelled']);
export type SyncState = z.infer<typeof SyncState>;

/** Photo counts of a sync or of an activity in it, so far. `total` is 0 until the activity is started. */
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
 * A sync of one or more activities. While Google asks for a pause, `waitingUntil` is about when the pause ends. `failures`
 * lists the first photos that failed. `startedBy` is null for the nightly sync.
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
 * Returns the running sync, else the latest one, else null. A page requests it when it opens, and polls it while it shows
 * progress.
 */
export const getCurrentSync = endpoint('GET', '/admin/google-drive/sync', {
  reply: z.object({ sync: z.nullable(Sync) }),
});

/** Returns one sync, running or finished. */
export const getSync = endpoint('GET', '/admin/google-drive/syncs/:id', {
  params: z.object({ id: IdText }),
  reply: z.object({ sync: Sync }),
});

/** Stops a sync: uploads in progress are finished, no more are started. A finished sync stays unchanged. */
export const cancelSync = endpoint('POST', '/admin/google-drive/syncs/:id/cancel', {
  params: z.object({ id: IdText }),
  reply: z.object({ sync: Sync, message: z.string() }),
});
