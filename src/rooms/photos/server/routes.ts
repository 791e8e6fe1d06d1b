import { baseMessages } from '#base/messages.ts';
import { refuse } from '#base/refusal.ts';
import type { Mount } from '#server/http/serve.ts';
import {
  approvePhoto,
  countPhotosToReview,
  deletePhoto,
  getPhoto,
  getPhotoFile,
  getPhotoRules,
  getPhotoSettings,
  listActivityPhotos,
  listDeletedPhotos,
  listPhotosToReview,
  listSchoolPhotos,
  restorePhoto,
  takePhotoDown,
  updatePhoto,
  updatePhotoSettings,
  uploadPhotos,
} from '../contract.ts';

export function mountPhotos(mount: Mount): void {
  const later = async () => {
    throw refuse.unavailable(baseMessages.unavailable, 60);
  };
  mount(listSchoolPhotos, 'signedIn', later);
  mount(listActivityPhotos, 'signedIn', later);
  mount(getPhoto, 'signedIn', later);
  mount(uploadPhotos, 'signedIn', later);
  mount(updatePhoto, 'signedIn', later);
  mount(deletePhoto, 'signedIn', later);
  mount(restorePhoto, 'signedIn', later);
  mount(takePhotoDown, 'signedIn', later);
  mount(getPhotoRules, 'signedIn', later);
  mount(getPhotoFile, 'public', later);
  mount(listDeletedPhotos, 'admin', later);
  mount(listPhotosToReview, 'admin', later);
  mount(countPhotosToReview, 'admin', later);
  mount(approvePhoto, 'admin', later);
  mount(getPhotoSettings, 'admin', later);
  mount(updatePhotoSettings, 'admin', later);
}
