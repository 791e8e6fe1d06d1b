import { expiringRows } from '#server/personal-data/expired-rows-store.ts';

/** Sessions, by the time of their sign-in. */
export const agedSessions = expiringRows({
  table: 'sessions',
  at: 'created_at',
  about: { people: ['sessions.user_id'] },
});
