import { keyBytes, keyFrom, makeKey } from './encryption.ts';

const NAME = 'keptKey';
const CHANNEL = 'kept-key';
const LOCK = 'kept-key';
const REPLY_TIMEOUT_MS = 1000;

/**
 * Returns the key of a shared computer. It is in a tab's session storage, so it survives a reload and ends with the
 * last tab; what it encrypted can't be read after that. A second tab asks the first one for it. Undefined if another
 * tab has it but does not reply, because a new key would make the other tab's data unreadable.
 */
export async function sessionKey(account: number): Promise<CryptoKey | undefined> {
  const hex = storedKey(account) ?? (await otherTabsKey(account));
  if (hex === undefined) return undefined;
  sessionStorage.setItem(NAME, `${account} ${hex}`);
  holdLock();
  return keyFrom(hex);
}

/** Returns the account whose shared-computer key this tab has. */
export function sessionKeyOwner(): number | undefined {
  const [whose] = sessionStorage.getItem(NAME)?.split(' ') ?? [];
  return whose === undefined ? undefined : Number(whose);
}

export function forgetSessionKey(): void {
  sessionStorage.removeItem(NAME);
}

/** Runs `purge` if no tab has a shared-computer key, so nothing encrypted with one can be read again. */
export async function whenKeyIsGone(purge: () => Promise<void>): Promise<void> {
  if (sessionStorage.getItem(NAME) !== null) return;
  await navigator.locks.request(LOCK, { mode: 'exclusive', ifAvailable: true }, async (lock) => {
    if (lock !== null) await purge();
  });
}

function storedKey(account: number): string | undefined {
  const [whose, hex] = sessionStorage.getItem(NAME)?.split(' ') ?? [];
  return whose === String(account) ? hex : undefined;
}

async function otherTabsKey(account: number): Promise<string | undefined> {
  if (!(await isHeld())) return newKey();
  // If this tab holds the lock for an earlier account, that says nothing about other tabs.
  return (await requestFromOtherTabs(account)) ?? (isHolding ? newKey() : undefined);
}

async function newKey(): Promise<string> {
  return keyBytes(await makeKey(true));
}

async function isHeld(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === LOCK);
}

let isHolding = false;

// Holds the lock while this tab is open, so no other tab treats its data as unreadable, and answers tabs that ask for
// the key.
function holdLock(): void {
  if (isHolding) return;
  isHolding = true;
  void navigator.locks.request(LOCK, { mode: 'shared' }, () => new Promise(() => {}));
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<{ asks?: number }>) => {
    if (data.asks === undefined) return;
    const hex = storedKey(data.asks);
    if (hex !== undefined) channel.postMessage({ account: data.asks, hex });
  };
}

function requestFromOtherTabs(account: number): Promise<string | undefined> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<string | undefined>((resolve) => {
    setTimeout(() => resolve(undefined), REPLY_TIMEOUT_MS);
    channel.onmessage = ({ data }: MessageEvent<{ account?: number; hex?: string }>) => {
      if (data.account === account) resolve(data.hex);
    };
    channel.postMessage({ asks: account });
  }).finally(() => channel.close());
}
