import { lazyScreen } from '#web/ui/lazy-screen.tsx';
import { TabPlaceholder } from './admin-tab-placeholder.tsx';

/** The Photo Sync tab, loaded when somebody opens it. */
export const PhotoSync = lazyScreen(
  async () => (await import('#features/photos/google-drive/web/admin-photo-sync.tsx')).AdminPhotoSync,
  ({ given, failed }) => <TabPlaceholder title="web:photoSync" aside={given.filter} failed={failed} />,
);
