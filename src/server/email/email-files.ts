import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '#shared/errors.ts';
import type { Deps } from '../deps.ts';
import type { Person } from '../personal-data/data-export.ts';
import { emailIdsTo } from './outbox.ts';

// Large enough for an email's headers, which include the recipient.
const HEAD_BYTES = 8_192;

/** The folder for emails when there is no mail server. */
export function emailFolder(deps: Pick<Deps, 'config'>): string {
  return join(deps.config.dataDir, 'outbox');
}

/** An email's file name without extension: its time, kind and id. */
export function emailFileName(mail: Readonly<{ id: number; kind: string; at: string }>): string {
  return `${mail.at.replaceAll(':', '')}-${mail.kind}-${mail.id}`;
}

/** The number of emails in the folder; null if it cannot be read. */
export async function countEmailFiles(deps: Pick<Deps, 'config'>): Promise<number | null> {
  try {
    const names = await readdir(emailFolder(deps));
    return names.filter((name) => name.endsWith('.eml')).length;
  } catch (error) {
    // The first email creates the folder.
    return errorCode(error) === 'ENOENT' ? 0 : null;
  }
}

/** Removes the files of all emails to a user, and of all emails of these kinds. */
export async function removeEmailFiles(deps: Deps, person: Person, kinds: readonly string[]): Promise<void> {
  const ids = new Set(await emailIdsTo(deps.database.db, person.id));
  const names = await readdir(emailFolder(deps)).catch(() => []);
  for (const name of names) {
    const path = join(emailFolder(deps), name);
    const { kind, id } = parseFileName(name);
    const isTheirs = ids.has(id) || kinds.includes(kind) || (await isAddressedTo(path, person.addresses));
    if (isTheirs) await rm(path, { force: true });
  }
}

/** Removes one email's file. */
export async function removeEmailFile(deps: Deps, name: string): Promise<void> {
  await rm(join(emailFolder(deps), `${name}.eml`), { force: true });
}

// '2026-03-04T180000.000Z-reset-link-12.eml'; files of earlier versions have no kind.
function parseFileName(name: string): { kind: string; id: number } {
  const [, kind = '', id = ''] = /^\d+-\d+-[^-]+-(?:(.+)-)?(\d+)\.eml(?:\.new)?$/.exec(name) ?? [];
  return { kind, id: Number(id) };
}

async function isAddressedTo(path: string, addresses: readonly string[]): Promise<boolean> {
  const [, to = ''] = /^to:(.*(?:\r?\n[ \t].*)*)/im.exec(await readHeaders(path)) ?? [];
  const address = (/<([^<>]*)>\s*$/.exec(to)?.[1] ?? to).replaceAll(/\s/g, '').toLowerCase();
  return addresses.includes(address);
}

// A file removed meanwhile has no headers.
async function readHeaders(path: string): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
