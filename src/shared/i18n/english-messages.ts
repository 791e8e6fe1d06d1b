import suggestionsMail from '#features/activities/suggestions/messages.server.en.json' with { type: 'json' };
import authServer from '#features/auth/messages.server.en.json' with { type: 'json' };
import userImportsMail from '#features/imports/people/messages.server.en.json' with { type: 'json' };
import mailingsMail from '#features/notifications/announcements/messages.server.en.json' with {
  type: 'json',
};
import notificationsServer from '#features/notifications/messages.server.en.json' with { type: 'json' };
import remindersMail from '#features/notifications/reminders/messages.server.en.json' with { type: 'json' };
import accessibilityServer from '#features/operations/accessibility/messages.server.en.json' with {
  type: 'json',
};
import systemMail from '#features/operations/messages.server.en.json' with { type: 'json' };
import driveSyncServer from '#features/photos/google-drive/messages.server.en.json' with { type: 'json' };
import photosMail from '#features/photos/messages.server.en.json' with { type: 'json' };
import ownDataMail from '#features/privacy/messages.server.en.json' with { type: 'json' };
import retentionMail from '#features/privacy/retention/messages.server.en.json' with { type: 'json' };
import analyticsFile from '#features/reports/analytics/messages.server.en.json' with { type: 'json' };
import districtServer from '#features/schools/district-settings/messages.server.en.json' with {
  type: 'json',
};
import schoolsServer from '#features/schools/messages.server.en.json' with { type: 'json' };
import timeEntriesFile from '#features/time-entries/messages.server.en.json' with { type: 'json' };
import mergesServer from '#features/users/merging/messages.server.en.json' with { type: 'json' };
import usersServer from '#features/users/messages.server.en.json' with { type: 'json' };
import verificationServer from '#features/verification/messages.server.en.json' with { type: 'json' };
import sharedServer from '#shared/messages.server.en.json' with { type: 'json' };
import webStart from '#web/messages.start.en.json' with { type: 'json' };
import type { MessageCatalogs } from './message-catalog.ts';
import { signIn } from './sign-in-messages.ts';
import { staff } from './staff-messages.ts';
import { volunteer } from './volunteer-messages.ts';

/** Messages that only the server uses: emails, files and its own pages. */
const server = {
  shared: sharedServer,
  web: webStart,
  'district-settings': districtServer,
  schools: schoolsServer,
  auth: authServer,
  users: usersServer,
  people: userImportsMail,
  suggestions: suggestionsMail,
  'time-entries': timeEntriesFile,
  notifications: notificationsServer,
  reminders: remindersMail,
  announcements: mailingsMail,
  verification: verificationServer,
  accessibility: accessibilityServer,
  photos: photosMail,
  'google-drive': driveSyncServer,
  analytics: analyticsFile,
  retention: retentionMail,
  merging: mergesServer,
  privacy: ownDataMail,
  operations: systemMail,
} as const;

type All = typeof signIn & typeof volunteer & typeof staff & typeof server;

/** All English messages by namespace: those that only the server uses, and all of the browser's. */
export const en = together(signIn, volunteer, staff, server) as All;

function together(...catalogs: readonly MessageCatalogs[]): MessageCatalogs {
  const all: Record<string, MessageCatalogs[string]> = {};
  for (const catalog of catalogs) {
    for (const [namespace, messages] of Object.entries(catalog))
      all[namespace] = { ...all[namespace], ...messages };
  }
  return all;
}
