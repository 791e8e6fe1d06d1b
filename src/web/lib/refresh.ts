import type { QueryClient } from '@tanstack/react-query';

/** After an administrator changed something: every list that is on the screen is loaded anew, every other one later. */
export function refreshEverything(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== 'public' || queryKey[1] === 'schools',
  });
}
