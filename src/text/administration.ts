import activities from '#rooms/activities/admin-text.en.json' with { type: 'json' };
import analytics from '#rooms/analytics/admin-text.en.json' with { type: 'json' };
import categories from '#rooms/categories/admin-text.en.json' with { type: 'json' };
import ownData from '#rooms/own-data/admin-text.en.json' with { type: 'json' };
import schools from '#rooms/schools/admin-text.en.json' with { type: 'json' };
import suggestions from '#rooms/suggestions/admin-text.en.json' with { type: 'json' };
import timeEntries from '#rooms/time-entries/admin-text.en.json' with { type: 'json' };
import users from '#rooms/users/admin-text.en.json' with { type: 'json' };
import web from '#web/admin-text.en.json' with { type: 'json' };

/** The texts that only administrators see: their view brings them along. */
export const administration = {
  web,
  users,
  schools,
  categories,
  activities,
  suggestions,
  analytics,
  'time-entries': timeEntries,
  'own-data': ownData,
} as const;
