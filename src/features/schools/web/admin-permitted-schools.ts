import type { Capability } from '#shared/permissions.ts';
import { useCan } from '#web/api/permissions.ts';
import type { PublicSchool } from '../contract.ts';
import { usePublicSchools } from './api.ts';

/**
 * The schools where the viewer has a permission, by name. `preset` is that school if there is exactly one, and `assigned` is
 * `preset` if the permission is limited to it. Without `preset`, the user selects a school first (specification section 2).
 */
export function usePermittedSchools(needs: Capability) {
  const may = useCan();
  const schools = usePublicSchools();
  const data = schools.data?.filter(({ id }) => may(needs, id));
  const preset: PublicSchool | undefined = data?.length === 1 ? data[0] : undefined;
  const assigned = may(needs, 'all') ? undefined : preset;
  return { ...schools, data, preset, assigned };
}
