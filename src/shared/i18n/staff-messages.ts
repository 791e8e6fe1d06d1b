import categoriesAdmin from '#features/activities/categories/messages.staff.en.json' with { type: 'json' };
import activitiesBulk from '#features/activities/messages.bulk.en.json' with { type: 'json' };
import activitiesAdmin from '#features/activities/messages.staff.en.json' with { type: 'json' };
import suggestionsAdmin from '#features/activities/suggestions/messages.staff.en.json' with { type: 'json' };
import audit from '#features/audit/messages.en.json' with { type: 'json' };
import timeEntryImports from '#features/imports/hours/messages.en.json' with { type: 'json' };
import userImports from '#features/imports/people/messages.en.json' with { type: 'json' };
import mailings from '#features/notifications/announcements/messages.en.json' with { type: 'json' };
import systemFirstRun from '#features/operations/messages.first-run.en.json' with { type: 'json' };
import systemAdmin from '#features/operations/messages.staff.en.json' with { type: 'json' };
import driveSync from '#features/photos/google-drive/messages.en.json' with { type: 'json' };
import driveSyncAdmin from '#features/photos/google-drive/messages.staff.en.json' with { type: 'json' };
import photosAdmin from '#features/photos/messages.staff.en.json' with { type: 'json' };
import ownDataAdmin from '#features/privacy/messages.staff.en.json' with { type: 'json' };
import retentionAdmin from '#features/privacy/retention/messages.staff.en.json' with { type: 'json' };
import analyticsAdmin from '#features/reports/analytics/messages.staff.en.json' with { type: 'json' };
import districtSettings from '#features/schools/district-settings/messages.settings.en.json' with {
  type: 'json',
};
import districtNameList from '#features/schools/district-settings/messages.translations.en.json' with {
  type: 'json',
};
import schoolsAdmin from '#features/schools/messages.staff.en.json' with { type: 'json' };
import timeEntriesSignInSheet from '#features/time-entries/messages.sign-in-sheets.en.json' with {
  type: 'json',
};
import timeEntriesAdmin from '#features/time-entries/messages.staff.en.json' with { type: 'json' };
import merges from '#features/users/merging/messages.staff.en.json' with { type: 'json' };
import usersAdmin from '#features/users/messages.staff.en.json' with { type: 'json' };
import verification from '#features/verification/messages.en.json' with { type: 'json' };
import verificationDesk from '#features/verification/messages.queue.en.json' with { type: 'json' };
import verificationSettings from '#features/verification/messages.settings.en.json' with { type: 'json' };
import webAdmin from '#web/messages.staff.en.json' with { type: 'json' };

/** Messages of the Admin Panel. */
export const staff = {
  web: webAdmin,
  'district-settings': { ...districtNameList, ...districtSettings },
  schools: schoolsAdmin,
  users: usersAdmin,
  people: userImports,
  categories: categoriesAdmin,
  activities: { ...activitiesAdmin, ...activitiesBulk },
  suggestions: suggestionsAdmin,
  'time-entries': { ...timeEntriesAdmin, ...timeEntriesSignInSheet },
  hours: timeEntryImports,
  announcements: mailings,
  verification: { ...verification, ...verificationDesk, ...verificationSettings },
  photos: photosAdmin,
  'google-drive': { ...driveSync, ...driveSyncAdmin },
  analytics: analyticsAdmin,
  audit,
  retention: retentionAdmin,
  merging: merges,
  privacy: ownDataAdmin,
  operations: { ...systemAdmin, ...systemFirstRun },
} as const;
