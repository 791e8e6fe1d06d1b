import { agedSessions } from '#features/auth/sessions/server/retention.ts';
import { hoursImportRetention } from '#features/imports/hours/server/retention.ts';
import { peopleImportRetention } from '#features/imports/people/server/retention.ts';
import { photoRetention } from '#features/photos/server/retention.ts';
import { letterFileRetention } from '#features/reports/service-letters/server/retention.ts';
import { entryRetention, exportRetention } from '#features/time-entries/server/retention.ts';
import { expiredAuditAddresses, expiredAuditEvents } from '#server/audit-log.ts';
import { expiredEmails } from '#server/email/outbox.ts';
import { expiredCounters } from '#server/http/rate-limit.ts';
import type { ExpiringRows } from '#server/personal-data/expired-rows-store.ts';
import type { Kind } from '../contract.ts';

/** The rows of each kind, where they are kept. */
export const KEPT: Readonly<Record<Kind, readonly ExpiringRows[]>> = {
  entries: entryRetention,
  photos: [photoRetention],
  audit: [expiredAuditEvents],
  addresses: [expiredAuditAddresses],
  mails: [expiredEmails],
  sessions: [agedSessions],
  signInFailures: [expiredCounters],
  exports: [exportRetention, letterFileRetention],
  imports: [peopleImportRetention, hoursImportRetention],
};
