import type { Deps } from '#server/deps.ts';
import type { Sealing } from '#server/personal-data/merged-rows-store.ts';
import { seal, unseal } from '#server/secrets.ts';

/** What the sealed rows of a merge are sealed for. */
export const PURPOSE = 'account-merge';

/** Seals and opens rows that a merge puts aside. */
export function sealing({ secretKey }: Deps): Sealing {
  return {
    seal: (text) => seal(secretKey, PURPOSE, text),
    open: (sealed) => unseal(secretKey, PURPOSE, sealed),
  };
}
