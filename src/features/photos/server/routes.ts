import type { Deps } from '#server/deps.ts';
import { type Mount, memberOr } from '#server/http/route-mount.ts';
import * as contract from '../contract.ts';
import {
  changeCaption,
  deletePhoto,
  listActivitiesWithPhotos,
  listActivityPhotos,
  listDeletedPhotos,
  listGrantedPhotos,
  listSchoolPhotos,
  readPhoto,
  readPhotoFile,
  restorePhoto,
} from './actions.ts';
import { approvePhoto, countPhotosToReview, hidePhoto, listPhotosToReview } from './moderation.ts';
import { changePhotoSettings, readPhotoRules, readPhotoSettings } from './settings.ts';
import { uploadPhotos } from './upload.ts';

// Long because it has one entry per route.
export function mountPhotos(mount: Mount, deps: Deps): void {
  mount(contract.listSchoolPhotos, memberOr('see photos'), ({ viewer, request, params, query }) =>
    listSchoolPhotos(deps, { viewer, request }, { id: params.id, query }),
  );

  mount(contract.listActivityPhotos, memberOr('see photos'), ({ viewer, request, params, query }) =>
    listActivityPhotos(deps, { viewer, request }, { id: params.id, query }),
  );

  mount(contract.uploadPhotos, memberOr('manage photos'), ({ viewer, request, params, body, files, once }) =>
    uploadPhotos(deps, { viewer, request }, { activityId: params.id, upload: body, files }, once),
  );

  mount(contract.getPhotoRules, 'signedIn', () => readPhotoRules(deps));

  mount(contract.getPhoto, memberOr('see photos'), (call) => readPhoto(deps, call, call.params.id));

  mount(contract.updatePhoto, memberOr('see photos'), ({ viewer, request, params, body, ifMatch }) =>
    changeCaption(deps, { viewer, request }, { id: params.id, change: body, ifMatch }),
  );

  mount(contract.deletePhoto, memberOr('see photos'), ({ viewer, request, params, ifMatch }) =>
    deletePhoto(deps, { viewer, request }, { id: params.id, ifMatch }),
  );

  mount(contract.restorePhoto, memberOr('restore deleted'), ({ viewer, request, params }) =>
    restorePhoto(deps, { viewer, request }, params.id),
  );

  mount(contract.takePhotoDown, memberOr('manage photos'), ({ viewer, request, params, body }) =>
    hidePhoto(deps, { viewer, request }, { id: params.id, reason: body.reason ?? null }),
  );

  mount(contract.getPhotoFile, 'public', ({ request, params, query }) =>
    readPhotoFile(
      deps,
      request,
      { ...params, expires: query.expires ?? '', signature: query.signature ?? '' },
      // A `side` that is not a number is ignored.
      Number(query.side) || undefined,
    ),
  );

  mount(contract.listGrantedPhotos, 'see photos', (call) => listGrantedPhotos(deps, call, call.query));

  mount(contract.listActivitiesWithPhotos, 'see photos', ({ viewer, request, query }) =>
    listActivitiesWithPhotos(deps, { viewer, request }, query),
  );

  mount(contract.listDeletedPhotos, 'restore deleted', (call) => listDeletedPhotos(deps, call, call.query));

  mount(contract.listPhotosToReview, 'see photos', (call) => listPhotosToReview(deps, call, call.query));

  mount(contract.countPhotosToReview, 'see photos', ({ viewer, query }) =>
    countPhotosToReview(deps, viewer, query.schoolId),
  );

  mount(contract.approvePhoto, 'manage photos', (call) => approvePhoto(deps, call, call.params.id));

  mount(contract.getPhotoSettings, 'run the district', async () => ({
    settings: await readPhotoSettings(deps, deps.database.db),
  }));

  mount(contract.updatePhotoSettings, 'run the district', ({ viewer, request, body }) =>
    changePhotoSettings(deps, { viewer, request }, body),
  );
}
