import categories from '#features/activities/categories/messages.en.json' with { type: 'json' };
import activities from '#features/activities/messages.en.json' with { type: 'json' };
import activitiesLogCode from '#features/activities/messages.log-code.en.json' with { type: 'json' };
import suggestions from '#features/activities/suggestions/messages.en.json' with { type: 'json' };
import authVolunteer from '#features/auth/messages.volunteer.en.json' with { type: 'json' };
import mailingsChoice from '#features/notifications/announcements/messages.preference.en.json' with {
  type: 'json',
};
import reminders from '#features/notifications/reminders/messages.en.json' with { type: 'json' };
import photos from '#features/photos/messages.en.json' with { type: 'json' };
import photosWaiting from '#features/photos/messages.offline.en.json' with { type: 'json' };
import ownData from '#features/privacy/messages.en.json' with { type: 'json' };
import analytics from '#features/reports/analytics/messages.en.json' with { type: 'json' };
import letters from '#features/reports/service-letters/messages.en.json' with { type: 'json' };
import goals from '#features/time-entries/goals/messages.en.json' with { type: 'json' };
import goalsMilestone from '#features/time-entries/goals/messages.milestones.en.json' with { type: 'json' };
import timeEntries from '#features/time-entries/messages.en.json' with { type: 'json' };
import timeEntriesSeveral from '#features/time-entries/messages.multiple-days.en.json' with { type: 'json' };
import timeEntriesWaiting from '#features/time-entries/messages.offline.en.json' with { type: 'json' };
import timeEntriesPrinted from '#features/time-entries/messages.print.en.json' with { type: 'json' };
import timeEntriesServer from '#features/time-entries/messages.server.en.json' with { type: 'json' };
import timeEntriesState from '#features/time-entries/messages.status.en.json' with { type: 'json' };
import timeEntriesVerification from '#features/time-entries/messages.verification.en.json' with {
  type: 'json',
};
import timeEntriesVolunteer from '#features/time-entries/messages.volunteer.en.json' with { type: 'json' };
import households from '#features/users/households/messages.en.json' with { type: 'json' };
import usersVolunteer from '#features/users/messages.volunteer.en.json' with { type: 'json' };
import verificationAsked from '#features/verification/messages.requests.en.json' with { type: 'json' };
import webInstalled from '#web/messages.installed.en.json' with { type: 'json' };
import webOffline from '#web/messages.offline.en.json' with { type: 'json' };
import webRole from '#web/messages.roles.en.json' with { type: 'json' };
import webSettings from '#web/messages.settings.en.json' with { type: 'json' };
import webShortcut from '#web/messages.shortcuts.en.json' with { type: 'json' };

/** Messages of a signed-in volunteer's screens. */
export const volunteer = {
  web: { ...webInstalled, ...webOffline, ...webRole, ...webSettings, ...webShortcut },
  auth: authVolunteer,
  users: usersVolunteer,
  categories,
  activities: { ...activities, ...activitiesLogCode },
  suggestions,
  'time-entries': {
    ...timeEntries,
    ...timeEntriesServer,
    ...timeEntriesPrinted,
    ...timeEntriesSeveral,
    ...timeEntriesState,
    ...timeEntriesVerification,
    ...timeEntriesVolunteer,
    ...timeEntriesWaiting,
  },
  goals: { ...goals, ...goalsMilestone },
  households,
  reminders,
  announcements: mailingsChoice,
  verification: verificationAsked,
  'service-letters': letters,
  photos: { ...photos, ...photosWaiting },
  analytics,
  privacy: ownData,
} as const;
