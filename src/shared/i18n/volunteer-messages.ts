import categories from '#features/activities/categories/messages.en.json' with { type: 'json' };
import activities from '#features/activities/messages.en.json' with { type: 'json' };
import suggestions from '#features/activities/suggestions/messages.en.json' with { type: 'json' };
import authVolunteer from '#features/auth/messages.volunteer.en.json' with { type: 'json' };
import mailingsChoice from '#features/notifications/announcements/messages.en.json' with { type: 'json' };
import reminders from '#features/notifications/reminders/messages.en.json' with { type: 'json' };
import photos from '#features/photos/messages.en.json' with { type: 'json' };
import ownData from '#features/privacy/messages.en.json' with { type: 'json' };
import analytics from '#features/reports/analytics/messages.en.json' with { type: 'json' };
import letters from '#features/reports/service-letters/messages.en.json' with { type: 'json' };
import goals from '#features/time-entries/goals/messages.en.json' with { type: 'json' };
import timeEntries from '#features/time-entries/messages.en.json' with { type: 'json' };
import households from '#features/users/households/messages.en.json' with { type: 'json' };
import usersVolunteer from '#features/users/messages.volunteer.en.json' with { type: 'json' };
import verificationAsked from '#features/verification/messages.en.json' with { type: 'json' };
import webVolunteer from '#web/messages.volunteer.en.json' with { type: 'json' };

/** Messages of a signed-in volunteer's screens. */
export const volunteer = {
  web: webVolunteer,
  auth: authVolunteer,
  users: usersVolunteer,
  categories,
  activities: activities,
  suggestions,
  'time-entries': timeEntries,
  goals: goals,
  households,
  reminders,
  announcements: mailingsChoice,
  verification: verificationAsked,
  'service-letters': letters,
  photos: photos,
  analytics,
  privacy: ownData,
} as const;
