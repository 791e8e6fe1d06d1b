import { deviceNow, plusMilliseconds } from '#shared/calendar-date.ts';
import { readStored, writeStored } from '#web/api/browser-storage.ts';

const KEPT = 'logCode';
// Somebody with the sheet in hand may first have to register and open a mailed link, in another tab.
const KEPT_HOURS = 24;
const LONGEST = 60;

/** Keeps the code of a sign-in sheet in this browser until somebody is signed in. */
export function storeLogCode(code: string): void {
  writeStored(KEPT, `${deviceNow()} ${code.slice(0, LONGEST)}`);
}

/** Whether a code waits, possibly one that is too old. */
export function hasStoredLogCode(): boolean {
  return readStored(KEPT) !== null;
}

/** The code that waits; an old one is forgotten, since somebody else may use this computer by now. */
export function storedLogCode(): string | undefined {
  const [at = '', code] = readStored(KEPT)?.split(/ (.*)/s) ?? [];
  const oldest: string = plusMilliseconds(deviceNow(), -KEPT_HOURS * 3_600_000);
  if (code !== undefined && at > oldest) return code;
  clearLogCode();
  return undefined;
}

/** Each code opens once. */
export function clearLogCode(): void {
  writeStored(KEPT, null);
}
