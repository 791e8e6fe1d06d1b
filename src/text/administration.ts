import audit from '#rooms/audit/text.en.json' with { type: 'json' };
import driveSyncScreens from '#rooms/drive-sync/admin-text.en.json' with { type: 'json' };
import driveSync from '#rooms/drive-sync/text.en.json' with { type: 'json' };
import ownData from '#rooms/own-data/admin-text.en.json' with { type: 'json' };
import timeEntries from '#rooms/time-entries/admin-text.en.json' with { type: 'json' };
import userImports from '#rooms/user-imports/text.en.json' with { type: 'json' };
import users from '#rooms/users/admin-text.en.json' with { type: 'json' };
import web from '#web/admin-text.en.json' with { type: 'json' };

/** The texts that only administrators see: their view brings them along. */
export const administration = {
  web,
  users,
  'user-imports': userImports,
  'time-entries': timeEntries,
  'drive-sync': { ...driveSync, ...driveSyncScreens },
  audit,
  'own-data': ownData,
} as const;
