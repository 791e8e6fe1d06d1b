import type { Id } from '#shared/id.ts';
import { permissionsOf, type RoleHolder } from '#web/api/permissions.ts';

/** A user's permissions for the photos of a school. `Photo.canEdit` is their permission to change one photo. */
export type PhotoPermissions = Readonly<{
  /** May also see photos that wait for a decision or are hidden. */
  seesAll: boolean;
  mayAdd: boolean;
  mayTakeDown: boolean;
  /** May restore photos that they deleted themselves. */
  mayUndo: boolean;
  /** May decide on photos in the review queue. */
  mayDecide: boolean;
  seesTrash: boolean;
  seesSettings: boolean;
}>;

/** Returns the permissions that the user's roles give and, if `isMember`, those of a member of the school. */
export function photoPermissions(person: RoleHolder, schoolId: Id, isMember: boolean): PhotoPermissions {
  const may = permissionsOf(person);
  const manages = may('manage photos', schoolId);
  const restores = may('restore deleted', schoolId);
  return {
    seesAll: may('see photos', schoolId),
    mayAdd: isMember || manages,
    mayTakeDown: isMember || manages,
    mayUndo: isMember || restores,
    mayDecide: manages,
    seesTrash: restores,
    seesSettings: may('run the district'),
  };
}
