import { randomInt } from 'node:crypto';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { sign } from '#server/secrets.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { LIMITS } from '../contract.ts';
import { replaceRecoveryCodes } from './recovery-code-store.ts';

// Without those that look alike.
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const GROUPS = 3;
const GROUP_LETTERS = 4;

/** Makes somebody's recovery codes, in place of all earlier ones. They can be told only now. */
export async function generateRecoveryCodes(
  trx: Trx,
  deps: Deps,
  userId: number,
  at: Instant,
): Promise<string[]> {
  const codes = new Set<string>();
  while (codes.size < LIMITS.recoveryCodes) codes.add(newCode());
  const hashes = [...codes].map((code) => hashRecoveryCode(deps, userId, normalizeRecoveryCode(code)));
  await replaceRecoveryCodes(trx, userId, hashes, at);
  return [...codes];
}

/** A code without what people type between its signs. */
export function normalizeRecoveryCode(typed: string): string {
  return typed
    .normalize('NFKC')
    .replaceAll(/[\s\p{Pd}]/gu, '')
    .toUpperCase();
}

/** How a code is stored: keyed, since its 59 bits alone could be searched through. */
export function hashRecoveryCode(deps: Deps, userId: number, plain: string): string {
  return sign(deps.secretKey, 'recovery-code', `${userId} ${plain}`);
}

function newCode(): string {
  const group = () =>
    Array.from({ length: GROUP_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}
