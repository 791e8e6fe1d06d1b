import { agedLetterFiles } from '#rooms/letters/server/aged.ts';
import { agedPhotos } from '#rooms/photos/server/aged.ts';
import { agedEntries, agedExports } from '#rooms/time-entries/server/aged.ts';
import { agedHoursImports } from '#rooms/time-entry-imports/server/aged.ts';
import { agedImports } from '#rooms/user-imports/server/aged.ts';
import { agedSessions } from '#rooms/users/server/aged.ts';
import type { Aged } from '#server/aged-rows-store.ts';
import { agedAddresses, agedRecord } from '#server/audit.ts';
import { agedTries } from '#server/http/try-limits.ts';
import { agedMail } from '#server/mail/outbox.ts';
import type { Kind } from '../contract.ts';

/** The rows of each kind, where they are kept. */
export const KEPT: Readonly<Record<Kind, readonly Aged[]>> = {
  entries: agedEntries,
  photos: [agedPhotos],
  audit: [agedRecord],
  addresses: [agedAddresses],
  mails: [agedMail],
  sessions: [agedSessions],
  signInFailures: [agedTries],
  exports: [agedExports, agedLetterFiles],
  imports: [agedImports, agedHoursImports],
};
