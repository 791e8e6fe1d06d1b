/** The Photo Sync tab with its texts. */
export { AdminPhotoSync } from '#rooms/drive-sync/web/admin-photo-sync.tsx';
