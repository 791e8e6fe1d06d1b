/** The Photos tab with its texts. */
export { AdminPhotos } from '#rooms/photos/web/admin-photos.tsx';
