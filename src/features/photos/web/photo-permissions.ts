import type { Id } from '#shared/id.ts';
import { permissionsOf, type RoleHolder } from '#web/api/permissions.ts';

/** What somebody may do with the photos of a school; each photo says itself whether they may change it. */
export type PhotoRights = Readonly<{
  /** Also sees photos that wait for a decision, or were taken down. */
  seesAll: boolean;
  mayAdd: boolean;
  mayTakeDown: boolean;
  /** May bring back what they deleted. */
  mayUndo: boolean;
  /** Decides about photos that wait. */
  mayDecide: boolean;
  seesTrash: boolean;
  seesSettings: boolean;
}>;

/** Members of the school do what every volunteer may; the rest comes with a role. */
export function photoRights(person: RoleHolder, schoolId: Id, isMember: boolean): PhotoRights {
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
