import { expiringRows } from '#server/personal-data/expired-rows-store.ts';

/** Links to files of letters by when they were made; the letters stay. */
export const letterFileRetention = expiringRows({
  table: 'letter_files',
  at: 'created_at',
  about: { people: ['letter_files.user_id'] },
});
