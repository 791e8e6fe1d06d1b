import accessibilityServer from '#rooms/accessibility/server-text.en.json' with { type: 'json' };
import analyticsFile from '#rooms/analytics/file-text.en.json' with { type: 'json' };
import districtMail from '#rooms/district/mail-text.en.json' with { type: 'json' };
import districtServer from '#rooms/district/server-text.en.json' with { type: 'json' };
import driveSyncServer from '#rooms/drive-sync/server-text.en.json' with { type: 'json' };
import mailingsMail from '#rooms/mailings/mail-text.en.json' with { type: 'json' };
import mergesServer from '#rooms/merges/server-text.en.json' with { type: 'json' };
import ownDataMail from '#rooms/own-data/mail-text.en.json' with { type: 'json' };
import photosMail from '#rooms/photos/mail-text.en.json' with { type: 'json' };
import remindersMail from '#rooms/reminders/mail-text.en.json' with { type: 'json' };
import retentionMail from '#rooms/retention/mail-text.en.json' with { type: 'json' };
import schoolsServer from '#rooms/schools/server-text.en.json' with { type: 'json' };
import suggestionsMail from '#rooms/suggestions/mail-text.en.json' with { type: 'json' };
import systemMail from '#rooms/system/mail-text.en.json' with { type: 'json' };
import timeEntriesFile from '#rooms/time-entries/file-text.en.json' with { type: 'json' };
import userImportsMail from '#rooms/user-imports/mail-text.en.json' with { type: 'json' };
import usersMail from '#rooms/users/mail-text.en.json' with { type: 'json' };
import usersServer from '#rooms/users/server-text.en.json' with { type: 'json' };
import verificationMail from '#rooms/verification/mail-text.en.json' with { type: 'json' };
import verificationOutside from '#rooms/verification/outside-text.en.json' with { type: 'json' };
import webStart from '#web/start-text.en.json' with { type: 'json' };

/** What only the server says: emails, files and pages of its own. */
export const server = {
  web: webStart,
  district: { ...districtMail, ...districtServer },
  schools: schoolsServer,
  users: { ...usersMail, ...usersServer },
  'user-imports': userImportsMail,
  suggestions: suggestionsMail,
  'time-entries': timeEntriesFile,
  reminders: remindersMail,
  mailings: mailingsMail,
  verification: { ...verificationMail, ...verificationOutside },
  accessibility: accessibilityServer,
  photos: photosMail,
  'drive-sync': driveSyncServer,
  analytics: analyticsFile,
  retention: retentionMail,
  merges: mergesServer,
  'own-data': ownDataMail,
  system: systemMail,
} as const;
