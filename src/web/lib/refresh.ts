import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';

/** After an administrator changed something: every list that is on the screen is loaded anew, every other one later. */
export function refreshEverything(client: QueryClient): Promise<void> {
  return client.invalidateQueries({
    predicate: ({ queryKey }) => queryKey[0] !== 'public' || queryKey[1] === 'schools',
  });
}

/** A call by which an administrator changes something; once it is done, the lists are loaded anew. */
export function useAdminChange<Input, Reply>(mutationFn: (input: Input) => Promise<Reply>) {
  const client = useQueryClient();
  return useMutation({ mutationFn, onSuccess: () => void refreshEverything(client) });
}
