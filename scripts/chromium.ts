import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './programs.mjs';

/** Nothing of a window, and no look for updates. */
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

/** Starts the machine's own Chromium; nothing is downloaded. */
export function launchChromium(flags: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('There is no Chromium on this machine');
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags] });
}
