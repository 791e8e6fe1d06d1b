import categoriesAdmin from '#features/activities/categories/messages.staff.en.json' with { type: 'json' };
import activitiesStaff from '#features/activities/messages.staff.en.json' with { type: 'json' };
import suggestionsAdmin from '#features/activities/suggestions/messages.staff.en.json' with { type: 'json' };
import audit from '#features/audit/messages.staff.en.json' with { type: 'json' };
import timeEntryImports from '#features/imports/hours/messages.staff.en.json' with { type: 'json' };
import userImports from '#features/imports/people/messages.staff.en.json' with { type: 'json' };
import mailings from '#features/notifications/announcements/messages.staff.en.json' with { type: 'json' };
import operationsStaff from '#features/operations/messages.staff.en.json' with { type: 'json' };
import driveSyncStaff from '#features/photos/google-drive/messages.staff.en.json' with { type: 'json' };
import photosAdmin from '#features/photos/messages.staff.en.json' with { type: 'json' };
import ownDataAdmin from '#features/privacy/messages.staff.en.json' with { type: 'json' };
import retentionAdmin from '#features/privacy/retention/messages.staff.en.json' with { type: 'json' };
import analyticsAdmin from '#features/reports/analytics/messages.staff.en.json' with { type: 'json' };
import districtSettings from '#features/schools/district-settings/messages.staff.en.json' with {
  type: 'json',
};
import schoolsAdmin from '#features/schools/messages.staff.en.json' with { type: 'json' };
import timeEntriesStaff from '#features/time-entries/messages.staff.en.json' with { type: 'json' };
import merges from '#features/users/merging/messages.staff.en.json' with { type: 'json' };
import usersAdmin from '#features/users/messages.staff.en.json' with { type: 'json' };
import verificationStaff from '#features/verification/messages.staff.en.json' with { type: 'json' };
import webAdmin from '#web/messages.staff.en.json' with { type: 'json' };

/** Messages of the Admin Panel. */
export const staff = {
  web: webAdmin,
  'district-settings': districtSettings,
  schools: schoolsAdmin,
  users: usersAdmin,
  people: userImports,
  categories: categoriesAdmin,
  activities: activitiesStaff,
  suggestions: suggestionsAdmin,
  'time-entries': timeEntriesStaff,
  hours: timeEntryImports,
  announcements: mailings,
  verification: verificationStaff,
  photos: photosAdmin,
  'google-drive': driveSyncStaff,
  analytics: analyticsAdmin,
  audit,
  retention: retentionAdmin,
  merging: merges,
  privacy: ownDataAdmin,
  operations: operationsStaff,
} as const;
