import type { Deps } from '#server/deps.ts';
import { translate } from '#server/i18n/translator.ts';
import type { Message } from '#shared/i18n/message.ts';
import { serverMessage } from './server-messages.ts';

/** The titles of jobs. A job without a title is shown with its name. */
export const JOB_TITLES: Readonly<Record<string, Message>> = {
  'suggestion-digest': serverMessage('jobSuggestionDigest'),
  'waiting-hours-letters': serverMessage('jobWaitingHours'),
  'weekly-summaries': serverMessage('jobWeeklySummaries'),
  'event-reminders': serverMessage('jobEventReminders'),
  'drive-sync': serverMessage('jobDriveSync'),
  retention: serverMessage('jobRetention'),
  removeLeftovers: serverMessage('jobRemoveLeftovers'),
  markDatabase: serverMessage('jobMarkDatabase'),
  scrubDatabase: serverMessage('jobScrubDatabase'),
  removeOldUpdateCopies: serverMessage('jobSweepUpdateCopies'),
  removeExpiredLink: serverMessage('jobRemoveDeadLink'),
  checkSumsNightly: serverMessage('jobCheckSums'),
  lookForRelease: serverMessage('jobLookForRelease'),
  findRestoreTest: serverMessage('jobLookForRestore'),
  sweepReplies: serverMessage('jobSweepReplies'),
  sweepKnownDevices: serverMessage('jobSweepKnownDevices'),
  sweepPasswordLinks: serverMessage('jobSweepPasswordLinks'),
  sweepConfirmations: serverMessage('jobSweepConfirmations'),
  sweepProviderReturns: serverMessage('jobSweepProviderReturns'),
  sweepProviderLogouts: serverMessage('jobSweepProviderLogouts'),
  sweepChallenges: serverMessage('jobSweepChallenges'),
  sweepTotpOffers: serverMessage('jobSweepTotpOffers'),
  sweepSignInLinks: serverMessage('jobSweepSignInLinks'),
  sweepInvites: serverMessage('jobSweepInvites'),
  sweepTrash: serverMessage('jobSweepTrash'),
  sweepDriveAttempts: serverMessage('jobSweepDriveAttempts'),
  sweepSyncs: serverMessage('jobSweepSyncs'),
  deleteOldFailedRequests: serverMessage('jobSweepFailures'),
  sweepAnswered: serverMessage('jobSweepAnswered'),
  'outside-letters': serverMessage('jobOutsideLetters'),
  sweepOutsideLetters: serverMessage('jobSweepOutsideLetters'),
  sweepDecisions: serverMessage('jobSweepDecisions'),
  sweepMerges: serverMessage('jobSweepMerges'),
  sweepMailings: serverMessage('jobSweepMailings'),
};

/** Returns a job's title. */
export function jobTitle(deps: Pick<Deps, 'translator'>, name: string): string {
  const title = JOB_TITLES[name];
  return title === undefined ? name : translate(deps, title);
}
