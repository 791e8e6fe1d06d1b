import type { Id } from '#shared/id.ts';
import { permissionsOf, type RoleHolder } from '#web/api/permissions.ts';

/** What a user may do with the photos of a school. Whether they may change one photo is in the photo itself. */
export type PhotoPermissions = Readonly<{
  /** Also sees photos that wait for a decision, or are hidden. */
  seesAll: boolean;
  mayAdd: boolean;
  mayTakeDown: boolean;
  /** May restore what they deleted. */
  mayUndo: boolean;
  /** Decides on photos in the review queue. */
  mayDecide: boolean;
  seesTrash: boolean;
  seesSettings: boolean;
}>;

/** The rights of a member of the school, plus those of the user's roles. */
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
