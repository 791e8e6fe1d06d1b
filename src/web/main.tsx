import './lib/no-eval.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { notify } from './lib/notify.ts';
import { queryClient } from './lib/query-client.ts';
import { onSessionEnd } from './lib/session.ts';
import { Shell } from './shell.tsx';
import { ToastRegion } from './ui/toast-region.tsx';

// What one person was shown goes with that person, whoever signs in next on a shared computer.
onSessionEnd(() => {
  queryClient.removeQueries({ predicate: (query) => query.queryKey[0] !== 'public' });
  notify.closeAll();
});

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no element with the id root');

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Shell resetToken={takeResetToken()} />
      <ToastRegion />
    </QueryClientProvider>
  </StrictMode>,
);

// The token of a reset link is kept in memory only: the address, which others may see or copy, is cleaned at once.
function takeResetToken(): string | undefined {
  const token = new URLSearchParams(location.search).get('token') ?? undefined;
  if (token !== undefined) history.replaceState(null, '', location.pathname);
  return token;
}
