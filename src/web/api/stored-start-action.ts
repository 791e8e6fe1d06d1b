import { readInTab, writeInTab } from './tab-storage.ts';

/**
 * The screen that a shortcut of the installed app requested. Stored until a user is signed in, because a sign-in may
 * lead to another page and back.
 */
const STORAGE_KEY = 'open';

/** Stores the screen to open the page at; undefined removes it. */
export function storeStartAction(screen: string | undefined): void {
  writeInTab(STORAGE_KEY, screen === undefined ? undefined : { screen });
}

/** Returns the stored screen to open the page at, if any. */
export function storedStartAction(): string | undefined {
  return readInTab<{ screen?: string }>(STORAGE_KEY, {}).screen;
}
