import base from '#base/text.en.json' with { type: 'json' };
import activities from '#rooms/activities/text.en.json' with { type: 'json' };
import categories from '#rooms/categories/text.en.json' with { type: 'json' };
import district from '#rooms/district/text.en.json' with { type: 'json' };
import schools from '#rooms/schools/text.en.json' with { type: 'json' };
import timeEntries from '#rooms/time-entries/text.en.json' with { type: 'json' };
import users from '#rooms/users/text.en.json' with { type: 'json' };
import web from '#web/text.en.json' with { type: 'json' };

/** The texts that every browser loads with the first screens. */
export const everyone = {
  base,
  web,
  district,
  schools,
  users,
  categories,
  activities,
  'time-entries': timeEntries,
} as const;
