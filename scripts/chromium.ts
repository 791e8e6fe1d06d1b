import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './programs.mjs';

/** No GPU, no first-run window and no update checks. */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--process-per-site',
];

/** Starts the machine's Chromium; nothing is downloaded. */
export function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium on this machine');
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
}
