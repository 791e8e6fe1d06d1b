import type { Capability } from '#base/permissions.ts';
import { useMay } from '#web/lib/may.ts';
import type { PublicSchool } from '../contract.ts';
import { usePublicSchools } from './api.ts';

/**
 * The schools at which the person may do something, by name. `preset` is the only one of somebody whose roles are at
 * one school: then there is nothing to choose.
 */
export function useGrantedSchools(needs: Capability) {
  const may = useMay();
  const schools = usePublicSchools();
  const data = schools.data?.filter(({ id }) => may(needs, id));
  const preset: PublicSchool | undefined = may(needs, 'all') || data?.length !== 1 ? undefined : data[0];
  return { ...schools, data, preset };
}
