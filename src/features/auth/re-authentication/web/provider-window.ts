import type { ReauthenticationProvider } from '../contract.ts';

const CHANNEL = 'fresh-proof';

/** What the window for a service came back with. */
export type Returned = Readonly<{ code: string } | { failure: string }>;

/** Opens a window where somebody signs in to a service; undefined when the browser does not let it open. */
export function openProviderWindow({ name, ticket }: ReauthenticationProvider): Window | undefined {
  const opened = window.open('', '_blank', 'popup,width=520,height=720');
  if (opened === null) return undefined;
  // The service must not be able to move the page that somebody is writing in.
  opened.opener = null;
  opened.location.assign(`/api/auth/oidc/${name}/start?fresh=${encodeURIComponent(ticket)}`);
  return opened;
}

/** Calls back with what a window comes back with, until the returned function is called. */
export function onProviderReturn(callback: (returned: Returned) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<Returned>) => callback(data);
  return () => channel.close();
}

/** In that window: tells the page that waits. */
export function notifyOpener(returned: Returned): void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(returned);
  channel.close();
}
