import server from '#rooms/time-entries/server-text.en.json' with { type: 'json' };
import states from '#rooms/time-entries/state-text.en.json' with { type: 'json' };
import timeEntries from '#rooms/time-entries/verification-text.en.json' with { type: 'json' };
import asked from '#rooms/verification/asked-text.en.json' with { type: 'json' };

/** The texts of verified hours, which their parts bring along: most districts verify none. */
export const verification = {
  'time-entries': { ...timeEntries, ...states, ...server },
  verification: asked,
} as const;
