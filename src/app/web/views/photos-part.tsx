/** Manage Photos with its texts. */
export { ManagePhotos } from '#rooms/photos/web/manage-photos.tsx';
