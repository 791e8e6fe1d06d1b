import activitiesAdmin from '#rooms/activities/admin-text.en.json' with { type: 'json' };
import activitiesBulk from '#rooms/activities/bulk-text.en.json' with { type: 'json' };
import analyticsAdmin from '#rooms/analytics/admin-text.en.json' with { type: 'json' };
import audit from '#rooms/audit/text.en.json' with { type: 'json' };
import categoriesAdmin from '#rooms/categories/admin-text.en.json' with { type: 'json' };
import districtNameList from '#rooms/district/name-list-text.en.json' with { type: 'json' };
import districtSettings from '#rooms/district/settings-text.en.json' with { type: 'json' };
import driveSyncAdmin from '#rooms/drive-sync/admin-text.en.json' with { type: 'json' };
import driveSync from '#rooms/drive-sync/text.en.json' with { type: 'json' };
import mailings from '#rooms/mailings/text.en.json' with { type: 'json' };
import merges from '#rooms/merges/text.en.json' with { type: 'json' };
import ownDataAdmin from '#rooms/own-data/admin-text.en.json' with { type: 'json' };
import photosAdmin from '#rooms/photos/admin-text.en.json' with { type: 'json' };
import retentionAdmin from '#rooms/retention/admin-text.en.json' with { type: 'json' };
import schoolsAdmin from '#rooms/schools/admin-text.en.json' with { type: 'json' };
import suggestionsAdmin from '#rooms/suggestions/admin-text.en.json' with { type: 'json' };
import systemAdmin from '#rooms/system/admin-text.en.json' with { type: 'json' };
import systemFirstRun from '#rooms/system/first-run-text.en.json' with { type: 'json' };
import timeEntriesAdmin from '#rooms/time-entries/admin-text.en.json' with { type: 'json' };
import timeEntriesSignInSheet from '#rooms/time-entries/sign-in-sheet-text.en.json' with { type: 'json' };
import timeEntryImports from '#rooms/time-entry-imports/text.en.json' with { type: 'json' };
import userImports from '#rooms/user-imports/text.en.json' with { type: 'json' };
import usersAdmin from '#rooms/users/admin-text.en.json' with { type: 'json' };
import usersGrant from '#rooms/users/grant-text.en.json' with { type: 'json' };
import verificationDesk from '#rooms/verification/desk-text.en.json' with { type: 'json' };
import verificationSettings from '#rooms/verification/settings-text.en.json' with { type: 'json' };
import verification from '#rooms/verification/text.en.json' with { type: 'json' };
import webAdmin from '#web/admin-text.en.json' with { type: 'json' };

/** What the Admin Panel loads. */
export const staff = {
  web: webAdmin,
  district: { ...districtNameList, ...districtSettings },
  schools: schoolsAdmin,
  users: { ...usersAdmin, ...usersGrant },
  'user-imports': userImports,
  categories: categoriesAdmin,
  activities: { ...activitiesAdmin, ...activitiesBulk },
  suggestions: suggestionsAdmin,
  'time-entries': { ...timeEntriesAdmin, ...timeEntriesSignInSheet },
  'time-entry-imports': timeEntryImports,
  mailings,
  verification: { ...verification, ...verificationDesk, ...verificationSettings },
  photos: photosAdmin,
  'drive-sync': { ...driveSync, ...driveSyncAdmin },
  analytics: analyticsAdmin,
  audit,
  retention: retentionAdmin,
  merges,
  'own-data': ownDataAdmin,
  system: { ...systemAdmin, ...systemFirstRun },
} as const;
