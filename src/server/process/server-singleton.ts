import type { Deps } from '../deps.ts';

/**
 * What a server keeps in memory beside `deps`, such as the exports that it makes: one value for all lanes, which share
 * the config. In the tests several servers run in one process.
 */
export function serverSingleton<Kept>(make: () => Kept): (deps: Pick<Deps, 'config'>) => Kept {
  const known = new WeakMap<Deps['config'], Kept>();
  return ({ config }) => {
    const kept = known.get(config) ?? make();
    known.set(config, kept);
    return kept;
  };
}
