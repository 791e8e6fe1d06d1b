import { deviceNow, plusMilliseconds } from '#shared/calendar-date.ts';
import { readStored, writeStored } from '#web/api/browser-storage.ts';

const STORAGE_KEY = 'logCode';
// A new user may first have to register and confirm an emailed link in another tab.
const MAX_AGE_HOURS = 24;
const MAX_LENGTH = 60;

/** Stores the code of a sign-in sheet in this browser until it is opened, for at most a day. */
export function storeLogCode(code: string): void {
  writeStored(STORAGE_KEY, `${deviceNow()} ${code.slice(0, MAX_LENGTH)}`);
}

/** Whether a code is stored, possibly an expired one. */
export function hasStoredLogCode(): boolean {
  return readStored(STORAGE_KEY) !== null;
}

/** Returns the stored code. Removes an expired one, because another user may be at this computer by now. */
export function storedLogCode(): string | undefined {
  const [at = '', code] = readStored(STORAGE_KEY)?.split(/ (.*)/s) ?? [];
  const oldest: string = plusMilliseconds(deviceNow(), -MAX_AGE_HOURS * 3_600_000);
  if (code !== undefined && at > oldest) return code;
  clearLogCode();
  return undefined;
}

/** Removes the code, because each code opens only once. */
export function clearLogCode(): void {
  writeStored(STORAGE_KEY, null);
}
