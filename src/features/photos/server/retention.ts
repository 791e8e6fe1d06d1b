import { expiringRows } from '#server/personal-data/expired-rows-store.ts';

/** Photos by when they were added, those in the trash included; their files become due for removal. */
export const photoRetention = expiringRows({
  table: 'photos',
  at: 'created_at',
  about: { people: ['photos.user_id'], school: 'photos.school_id' },
});
