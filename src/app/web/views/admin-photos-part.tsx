import './on-demand-texts.ts';
import './admin-photos-texts.ts';

/** The Photos tab with its texts. */
export { AdminPhotos } from '#rooms/photos/web/admin-photos.tsx';
