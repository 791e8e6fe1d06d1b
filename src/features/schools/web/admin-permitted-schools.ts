import type { Capability } from '#shared/permissions.ts';
import { useCan } from '#web/api/permissions.ts';
import type { PublicSchool } from '../contract.ts';
import { usePublicSchools } from './api.ts';

/**
 * The schools where the viewer has a permission, by name. `preset` is set if there is only one, and `assigned` if the viewer's
 * role is limited to that school. All other users select a school first (specification section 2).
 */
export function usePermittedSchools(needs: Capability) {
  const may = useCan();
  const schools = usePublicSchools();
  const data = schools.data?.filter(({ id }) => may(needs, id));
  const preset: PublicSchool | undefined = data?.length === 1 ? data[0] : undefined;
  const assigned = may(needs, 'all') ? undefined : preset;
  return { ...schools, data, preset, assigned };
}
