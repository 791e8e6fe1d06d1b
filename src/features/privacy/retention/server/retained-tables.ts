import { agedSessions } from '#features/auth/sessions/server/retention.ts';
import { agedHoursImports } from '#features/imports/hours/server/retention.ts';
import { agedImports } from '#features/imports/people/server/retention.ts';
import { agedPhotos } from '#features/photos/server/retention.ts';
import { agedLetterFiles } from '#features/reports/service-letters/server/retention.ts';
import { agedEntries, agedExports } from '#features/time-entries/server/retention.ts';
import { agedAddresses, agedRecord } from '#server/audit-log.ts';
import { agedMail } from '#server/email/outbox.ts';
import { agedTries } from '#server/http/rate-limit.ts';
import type { Aged } from '#server/personal-data/expired-rows-store.ts';
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
