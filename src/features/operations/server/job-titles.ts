import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/error-replies.ts';
import type { Message } from '#shared/i18n/message.ts';
import { sayOnServer } from './server-messages.ts';

/** Jobs in words; one without is told by its own name. */
export const JOB_TITLES: Readonly<Record<string, Message>> = {
  'suggestion-digest': sayOnServer('jobSuggestionDigest'),
  'waiting-hours-letters': sayOnServer('jobWaitingHours'),
  'weekly-summaries': sayOnServer('jobWeeklySummaries'),
  'event-reminders': sayOnServer('jobEventReminders'),
  'drive-sync': sayOnServer('jobDriveSync'),
  retention: sayOnServer('jobRetention'),
  removeLeftovers: sayOnServer('jobRemoveLeftovers'),
  markDatabase: sayOnServer('jobMarkDatabase'),
  scrubDatabase: sayOnServer('jobScrubDatabase'),
  sweepUpdateCopies: sayOnServer('jobSweepUpdateCopies'),
  removeDeadLink: sayOnServer('jobRemoveDeadLink'),
  checkSumsNightly: sayOnServer('jobCheckSums'),
  lookForRelease: sayOnServer('jobLookForRelease'),
  lookForRestore: sayOnServer('jobLookForRestore'),
  sweepReplies: sayOnServer('jobSweepReplies'),
  sweepKnownDevices: sayOnServer('jobSweepKnownDevices'),
  sweepPasswordLinks: sayOnServer('jobSweepPasswordLinks'),
  sweepConfirmations: sayOnServer('jobSweepConfirmations'),
  sweepProviderReturns: sayOnServer('jobSweepProviderReturns'),
  sweepProviderLogouts: sayOnServer('jobSweepProviderLogouts'),
  sweepChallenges: sayOnServer('jobSweepChallenges'),
  sweepTotpOffers: sayOnServer('jobSweepTotpOffers'),
  sweepSignInLinks: sayOnServer('jobSweepSignInLinks'),
  sweepInvites: sayOnServer('jobSweepInvites'),
  sweepTrash: sayOnServer('jobSweepTrash'),
  sweepDriveAttempts: sayOnServer('jobSweepDriveAttempts'),
  sweepSyncs: sayOnServer('jobSweepSyncs'),
  sweepFailures: sayOnServer('jobSweepFailures'),
  sweepAnswered: sayOnServer('jobSweepAnswered'),
  'outside-letters': sayOnServer('jobOutsideLetters'),
  sweepOutsideLetters: sayOnServer('jobSweepOutsideLetters'),
  sweepDecisions: sayOnServer('jobSweepDecisions'),
  sweepMerges: sayOnServer('jobSweepMerges'),
  sweepMailings: sayOnServer('jobSweepMailings'),
};

/** What a job is called. */
export function titleOf(deps: Pick<Deps, 'catalogue'>, name: string): string {
  const title = JOB_TITLES[name];
  return title === undefined ? name : text(deps, title);
}
