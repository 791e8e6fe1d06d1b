import type { Deps } from '../deps.ts';

/**
 * One in-memory value per server, such as its running exports, shared by all connection pools because they
 * share the config. Several servers may run in one process, as in tests.
 */
export function serverSingleton<Kept>(make: () => Kept): (deps: Pick<Deps, 'config'>) => Kept {
  const values = new WeakMap<Deps['config'], Kept>();
  return ({ config }) => {
    const value = values.get(config) ?? make();
    values.set(config, value);
    return value;
  };
}
