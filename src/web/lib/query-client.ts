import { QueryClient } from '@tanstack/react-query';
import { CallError } from './call.ts';

/** What the server answered, kept for the screens of this session. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A school's network may have no way to the internet while the server next door answers: always try.
      networkMode: 'always',
      retry: (failures, error) =>
        failures < 1 && !(error instanceof CallError && error.status >= 400 && error.status < 500),
      retryDelay: 800,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
