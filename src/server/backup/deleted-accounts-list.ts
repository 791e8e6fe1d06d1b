import { Instant } from '#shared/calendar-date.ts';
import type { BackupStorage } from './backup-storage.ts';

/**
 * A deleted account as listed next to the backups, without personal data. The creation time distinguishes it from a later
 * account that gets the same id after a restore.
 */
export type DeletedAccount = Readonly<{ id: number; createdAt: Instant }>;

/** The list next to the backups: the accounts, and the number of unreadable lines. */
export type DeletedAccountsList = Readonly<{ accounts: readonly DeletedAccount[]; unreadable: number }>;

/** The list's file, with one line per account of all districts that back up to this location. */
const LIST_FILE = 'erased.txt';

/** Adds accounts to the list next to the backups, so that a restore deletes them again. */
export async function addDeletedAccounts(
  storage: BackupStorage,
  accounts: readonly DeletedAccount[],
): Promise<void> {
  const there = new Set(splitLines((await storage.readNote(LIST_FILE)) ?? ''));
  const added = accounts.map(({ id, createdAt }) => `${id} ${createdAt}`).filter((line) => !there.has(line));
  if (added.length === 0) return;
  await storage.writeNote(LIST_FILE, [...there, ...added, ''].join('\n'));
}

/** Reads the list next to the backups; undefined if there is none. */
export async function readDeletedAccounts(storage: BackupStorage): Promise<DeletedAccountsList | undefined> {
  const text = await storage.readNote(LIST_FILE);
  if (text === undefined) return undefined;
  const lines = splitLines(text);
  const accounts = lines.flatMap((line) => parseAccount(line) ?? []);
  return { accounts, unreadable: lines.length - accounts.length };
}

function splitLines(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '');
}

function parseAccount(line: string): DeletedAccount | undefined {
  const [, id = '', moment] = /^(\d{1,15}) (\S+)$/.exec(line.trim()) ?? [];
  const { data: createdAt } = Instant.safeParse(moment);
  return createdAt === undefined ? undefined : { id: Number(id), createdAt };
}
