import activitiesLogCode from '#rooms/activities/log-code-text.en.json' with { type: 'json' };
import activities from '#rooms/activities/text.en.json' with { type: 'json' };
import analytics from '#rooms/analytics/text.en.json' with { type: 'json' };
import categories from '#rooms/categories/text.en.json' with { type: 'json' };
import goalsMilestone from '#rooms/goals/milestone-text.en.json' with { type: 'json' };
import goals from '#rooms/goals/text.en.json' with { type: 'json' };
import households from '#rooms/households/text.en.json' with { type: 'json' };
import letters from '#rooms/letters/text.en.json' with { type: 'json' };
import mailingsChoice from '#rooms/mailings/choice-text.en.json' with { type: 'json' };
import ownData from '#rooms/own-data/text.en.json' with { type: 'json' };
import photos from '#rooms/photos/text.en.json' with { type: 'json' };
import photosWaiting from '#rooms/photos/waiting-text.en.json' with { type: 'json' };
import reminders from '#rooms/reminders/text.en.json' with { type: 'json' };
import suggestions from '#rooms/suggestions/text.en.json' with { type: 'json' };
import timeEntriesPrinted from '#rooms/time-entries/printed-text.en.json' with { type: 'json' };
import timeEntriesServer from '#rooms/time-entries/server-text.en.json' with { type: 'json' };
import timeEntriesSeveral from '#rooms/time-entries/several-text.en.json' with { type: 'json' };
import timeEntriesState from '#rooms/time-entries/state-text.en.json' with { type: 'json' };
import timeEntries from '#rooms/time-entries/text.en.json' with { type: 'json' };
import timeEntriesVerification from '#rooms/time-entries/verification-text.en.json' with { type: 'json' };
import timeEntriesVolunteer from '#rooms/time-entries/volunteer-text.en.json' with { type: 'json' };
import timeEntriesWaiting from '#rooms/time-entries/waiting-text.en.json' with { type: 'json' };
import usersFresh from '#rooms/users/fresh-text.en.json' with { type: 'json' };
import usersSession from '#rooms/users/session-text.en.json' with { type: 'json' };
import verificationAsked from '#rooms/verification/asked-text.en.json' with { type: 'json' };
import webInstalled from '#web/installed-text.en.json' with { type: 'json' };
import webOffline from '#web/offline-text.en.json' with { type: 'json' };
import webRole from '#web/role-text.en.json' with { type: 'json' };
import webSettings from '#web/settings-text.en.json' with { type: 'json' };
import webShortcut from '#web/shortcut-text.en.json' with { type: 'json' };

/** What the screens of a signed-in volunteer load. */
export const volunteer = {
  web: { ...webInstalled, ...webOffline, ...webRole, ...webSettings, ...webShortcut },
  users: { ...usersFresh, ...usersSession },
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
  mailings: mailingsChoice,
  verification: verificationAsked,
  letters,
  photos: { ...photos, ...photosWaiting },
  analytics,
  'own-data': ownData,
} as const;
