import { readStored, writeStored } from './storage.ts';

const SHARED = 'sharedComputer';

/** Whether people were told at sign-in that others use this computer too; it holds until somebody says otherwise. */
export function isSharedComputer(): boolean {
  return readStored(SHARED) !== null;
}

export function setSharedComputer(isShared: boolean): void {
  writeStored(SHARED, isShared ? '1' : null);
}
