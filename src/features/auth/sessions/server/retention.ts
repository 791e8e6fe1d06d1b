import { expiringRows } from '#server/personal-data/expired-rows-store.ts';

/** Sessions, by when they signed in. */
export const agedSessions = expiringRows({
  table: 'sessions',
  at: 'created_at',
  about: { people: ['sessions.user_id'] },
});
