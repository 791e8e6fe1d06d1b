import type { Capability } from '#base/permissions.ts';
import { useMay } from '#web/lib/may.ts';
import type { PublicSchool } from '../contract.ts';
import { usePublicSchools } from './api.ts';

/** The schools at which the person may do something, by name. `preset` is the only one: then there is nothing to choose. */
export function useGrantedSchools(needs: Capability) {
  const may = useMay();
  const schools = usePublicSchools();
  const data = schools.data?.filter(({ id }) => may(needs, id));
  const preset: PublicSchool | undefined = data?.length === 1 ? data[0] : undefined;
  return { ...schools, data, preset };
}
