import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';

/** After an administrator's change: reloads the lists on screen now, and every other list when it is next shown. */
export function refreshEverything(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== 'public' || queryKey[1] === 'schools',
  });
}

/** A mutation by an administrator that reloads the lists once it is done. */
export function useAdminChange<Input, Reply>(mutationFn: (input: Input) => Promise<Reply>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => void refreshEverything(client) });
}
