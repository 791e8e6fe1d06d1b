import { Instant } from '#shared/calendar-date.ts';
import type { BackupStorage } from './backup-storage.ts';

/**
 * An account that was erased, as it is listed beside the backups: nothing personal. Its moment tells it from an account
 * that gets the same id in another history, after a restore.
 */
export type DeletedAccount = Readonly<{ id: number; createdAt: Instant }>;

/** What lies beside the backups: the accounts, and how many lines of the list cannot be read. */
export type DeletedAccountsList = Readonly<{ accounts: readonly DeletedAccount[]; unreadable: number }>;

/** The file of the list. It has a line for each account, of all districts that back up to this place. */
const ERASED_FILE = 'erased.txt';

/** Adds accounts to the list beside the backups, so that a restored backup does not bring them back. */
export async function addDeletedAccounts(
  depot: BackupStorage,
  accounts: readonly DeletedAccount[],
): Promise<void> {
  const there = new Set(linesOf((await depot.noted(ERASED_FILE)) ?? ''));
  const added = accounts.map(({ id, createdAt }) => `${id} ${createdAt}`).filter((line) => !there.has(line));
  if (added.length === 0) return;
  await depot.note(ERASED_FILE, [...there, ...added, ''].join('\n'));
}

/** Reads the list beside the backups; undefined when there is none. */
export async function readDeletedAccounts(depot: BackupStorage): Promise<DeletedAccountsList | undefined> {
  const text = await depot.noted(ERASED_FILE);
  if (text === undefined) return undefined;
  const lines = linesOf(text);
  const accounts = lines.flatMap((line) => accountIn(line) ?? []);
  return { accounts, unreadable: lines.length - accounts.length };
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

function accountIn(line: string): DeletedAccount | undefined {
  const [, id = '', moment] = /^(\d{1,15}) (\S+)$/.exec(line.trim()) ?? [];
  const { data: createdAt } = Instant.safeParse(moment);
  return createdAt === undefined ? undefined : { id: Number(id), createdAt };
}
