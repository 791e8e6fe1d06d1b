import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BodyOf } from '#shared/endpoint.ts';
import { call } from '#web/api/call.ts';
import { changeFirstRun, type FirstRun, getFirstRun } from '../contract.ts';

const firstRunQuery = queryOptions({
  queryKey: ['admin', 'first-run'],
  queryFn: ({ signal }): Promise<FirstRun> => call(getFirstRun, { signal }),
  // Refetched on every visit, because steps are done on other screens.
  staleTime: 0,
});

/** The district's progress on the first-run checklist. */
export function useFirstRun() {
  return useQuery(firstRunQuery);
}

export function useChangeFirstRun() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyOf<typeof changeFirstRun>) => call(changeFirstRun, { body }),
    onSuccess: ({ isOpen, steps }) => client.setQueryData(firstRunQuery.queryKey, { isOpen, steps }),
  });
}
