import { keyBytes, keyFrom, makeKey } from './encryption.ts';

const NAME = 'keptKey';
const CHANNEL = 'kept-key';
const LOCK = 'kept-key';
const PATIENCE_MS = 1000;

/**
 * The key of a shared computer. It lives in the session storage of a tab, so it survives a reload and ends with the last tab:
 * what it sealed cannot be read after that. A second tab asks the first one for it. Undefined where another tab has it and
 * does not answer, for another one would lock that one's things out.
 */
export async function sessionKey(account: number): Promise<CryptoKey | undefined> {
  const hex = own(account) ?? (await keyOfOthers(account));
  if (hex === undefined) return undefined;
  sessionStorage.setItem(NAME, `${account} ${hex}`);
  hold();
  return keyFrom(hex);
}

/** Whose session on a shared computer this tab has the key of. */
export function sessionKeyOwner(): number | undefined {
  const [whose] = sessionStorage.getItem(NAME)?.split(' ') ?? [];
  return whose === undefined ? undefined : Number(whose);
}

export function forgetSessionKey(): void {
  sessionStorage.removeItem(NAME);
}

/** Runs `purge` when no tab has a key of a shared computer: what such a key sealed can never be read again. */
export async function whenKeyIsGone(purge: () => Promise<void>): Promise<void> {
  if (sessionStorage.getItem(NAME) !== null) return;
  await navigator.locks.request(LOCK, { mode: 'exclusive', ifAvailable: true }, async (lock) => {
    if (lock !== null) await purge();
  });
}

function own(account: number): string | undefined {
  const [whose, hex] = sessionStorage.getItem(NAME)?.split(' ') ?? [];
  return whose === String(account) ? hex : undefined;
}

async function keyOfOthers(account: number): Promise<string | undefined> {
  if (!(await isHeld())) return newKey();
  // Held by this tab for somebody who was signed in here before, it says nothing about others.
  return (await askOthers(account)) ?? (isHolding ? newKey() : undefined);
}

async function newKey(): Promise<string> {
  return keyBytes(await makeKey(true));
}

async function isHeld(): Promise<boolean> {
  const { held = [] } = await navigator.locks.query();
  return held.some(({ name }) => name === LOCK);
}

let isHolding = false;

// As long as this tab lives, so that no other tab takes what it sealed for unreadable; and it answers those who ask.
function hold(): void {
  if (isHolding) return;
  isHolding = true;
  void navigator.locks.request(LOCK, { mode: 'shared' }, () => new Promise(() => {}));
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }: MessageEvent<{ asks?: number }>) => {
    if (data.asks === undefined) return;
    const hex = own(data.asks);
    if (hex !== undefined) channel.postMessage({ account: data.asks, hex });
  };
}

function askOthers(account: number): Promise<string | undefined> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<string | undefined>((resolve) => {
    setTimeout(() => resolve(undefined), PATIENCE_MS);
    channel.onmessage = ({ data }: MessageEvent<{ account?: number; hex?: string }>) => {
      if (data.account === account) resolve(data.hex);
    };
    channel.postMessage({ asks: account });
  }).finally(() => channel.close());
}
