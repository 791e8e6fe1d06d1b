import './on-demand-texts.ts';
import './admin-photo-sync-texts.ts';

/** The Photo Sync tab with its texts. */
export { AdminPhotoSync } from '#rooms/drive-sync/web/admin-photo-sync.tsx';
