import { lazyScreen, rows } from '#web/ui/lazy-screen.tsx';

/** Manage Photos, loaded when first opened, because logging hours does not need it. */
export const Photos = lazyScreen(
  async () => (await import('#features/photos/web/manage-photos.tsx')).ManagePhotos,
  rows(6, { isTall: true }),
);
