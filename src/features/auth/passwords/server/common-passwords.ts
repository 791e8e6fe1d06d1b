import { dictionary } from '@zxcvbn-ts/language-common';

const MOST_COMMON = 10_000;

/** Whether a password is among the ten thousand most common ones. Case is ignored. */
export function isCommonPassword(password: string): boolean {
  common ??= new Set(
    dictionary['passwords-common'].slice(0, MOST_COMMON).map((known) => known.toLowerCase()),
  );
  return common.has(password.toLowerCase());
}

let common: Set<string> | undefined;
