import type { ReauthenticationProvider } from '../contract.ts';

const CHANNEL = 'fresh-proof';

/** The outcome of a provider window. */
export type Returned = Readonly<{ code: string } | { failure: string }>;

/** Opens a window to sign in at a provider; undefined if the browser blocks it. */
export function openProviderWindow({ name, ticket }: ReauthenticationProvider): Window | undefined {
  const opened = window.open('', '_blank', 'popup,width=520,height=720');
  if (opened === null) return undefined;
  // The provider must not be able to navigate the page that the user is writing in.
  opened.opener = null;
  opened.location.assign(`/api/auth/oidc/${name}/start?fresh=${encodeURIComponent(ticket)}`);
  return opened;
}

/** Calls `callback` with a window's outcome, until the returned function is called. */
export function onProviderReturn(callback: (returned: Returned) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Returned>) => callback(data);
  return () => channel.close();
}

/** Called in that window: notifies the waiting page. */
export function notifyOpener(returned: Returned): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(returned);
  channel.close();
}
