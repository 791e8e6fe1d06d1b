import { QueryClient } from '@tanstack/react-query';
import { CallError } from './call.ts';

/** Caches the server's responses for this session. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A school's network may be offline while its local server still answers, so always try.
      networkMode: 'always',
      retry: (failures, error) =>
        failures < 1 && !(error instanceof CallError && error.status >= 400 && error.status < 500),
      retryDelay: 800,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
