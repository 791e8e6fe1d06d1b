import accessibility from '#rooms/accessibility/server-text.en.json' with { type: 'json' };
import analyticsFiles from '#rooms/analytics/file-text.en.json' with { type: 'json' };
import districtMail from '#rooms/district/mail-text.en.json' with { type: 'json' };
import districtServer from '#rooms/district/server-text.en.json' with { type: 'json' };
import driveSyncServer from '#rooms/drive-sync/server-text.en.json' with { type: 'json' };
import mailingsMail from '#rooms/mailings/mail-text.en.json' with { type: 'json' };
import mergesMail from '#rooms/merges/server-text.en.json' with { type: 'json' };
import ownDataMail from '#rooms/own-data/mail-text.en.json' with { type: 'json' };
import photosMail from '#rooms/photos/mail-text.en.json' with { type: 'json' };
import remindersMail from '#rooms/reminders/mail-text.en.json' with { type: 'json' };
import retentionMail from '#rooms/retention/mail-text.en.json' with { type: 'json' };
import schoolsServer from '#rooms/schools/server-text.en.json' with { type: 'json' };
import systemMail from '#rooms/system/mail-text.en.json' with { type: 'json' };
import timeEntriesFiles from '#rooms/time-entries/file-text.en.json' with { type: 'json' };
import timeEntriesServer from '#rooms/time-entries/server-text.en.json' with { type: 'json' };
import userImportsMail from '#rooms/user-imports/mail-text.en.json' with { type: 'json' };
import usersMail from '#rooms/users/mail-text.en.json' with { type: 'json' };
import usersServer from '#rooms/users/server-text.en.json' with { type: 'json' };
import verificationMail from '#rooms/verification/mail-text.en.json' with { type: 'json' };
import outside from '#rooms/verification/outside-text.en.json' with { type: 'json' };
import start from '#web/start-text.en.json' with { type: 'json' };
import { activityBulk } from './activity-bulk.ts';
import { administration } from './administration.ts';
import { districtSettings } from './district-settings.ts';
import { everyone } from './everyone.ts';
import { firstRun } from './first-run.ts';
import { fresh } from './fresh.ts';
import { goalTexts, milestoneTexts } from './goals.ts';
import { grants } from './grants.ts';
import { householdTexts } from './households.ts';
import { installed } from './installed.ts';
import { serviceLetters } from './letters.ts';
import { logCode } from './log-code.ts';
import { mailedLinks } from './mailed-links.ts';
import { mailingChoiceTexts } from './mailing-choice.ts';
import { mailingTexts } from './mailings.ts';
import { mergeTexts } from './merges.ts';
import { nameLists } from './name-lists.ts';
import { offline } from './offline.ts';
import { onDemand } from './on-demand.ts';
import { photoScreens } from './photo-screens.ts';
import { photoSync } from './photo-sync.ts';
import { printedEntries } from './printed-entries.ts';
import { providers } from './providers.ts';
import { record } from './record.ts';
import { reminderTexts } from './reminders.ts';
import { roles } from './roles.ts';
import { secondProofScreens } from './second-proof.ts';
import { settings } from './settings.ts';
import { severalDays } from './several-days.ts';
import { sharedComputer } from './shared-computer.ts';
import { shortcuts } from './shortcuts.ts';
import { signInLink } from './sign-in-link.ts';
import { signInSheet } from './sign-in-sheet.ts';
import { systemScreen } from './system-screen.ts';
import { timeEntryImports } from './time-entry-imports.ts';
import { userImports } from './user-imports.ts';
import { verification } from './verification.ts';
import { verifierDesk } from './verifier-desk.ts';
import { volunteers } from './volunteers.ts';
import { weeklyMail } from './weekly-mail.ts';

/** Every English text by room: what the server reads, and what the browser has once the administrators' view is open. */
export const en = {
  ...everyone,
  ...onDemand,
  ...administration,
  ...record,
  'drive-sync': { ...photoSync['drive-sync'], ...driveSyncServer },
  goals: { ...goalTexts.goals, ...milestoneTexts.goals },
  ...householdTexts,
  reminders: { ...reminderTexts.reminders, ...remindersMail },
  ...serviceLetters,
  ...secondProofScreens,
  web: {
    ...everyone.web,
    ...administration.web,
    ...roles.web,
    ...installed.web,
    ...start,
    ...offline.web,
    ...sharedComputer.web,
    ...shortcuts.web,
    ...settings.web,
  },
  activities: {
    ...everyone.activities,
    ...administration.activities,
    ...activityBulk.activities,
    ...logCode.activities,
  },
  mailings: { ...mailingTexts.mailings, ...mailingChoiceTexts.mailings, ...mailingsMail },
  merges: { ...mergeTexts.merges, ...mergesMail },
  retention: { ...systemScreen.retention, ...retentionMail },
  district: {
    ...everyone.district,
    ...districtMail,
    ...districtServer,
    ...districtSettings.district,
    ...nameLists.district,
  },
  schools: { ...everyone.schools, ...administration.schools, ...schoolsServer },
  // What letters and files say is written by the server alone.
  users: {
    ...everyone.users,
    ...mailedLinks.users,
    ...administration.users,
    ...usersMail,
    ...usersServer,
    ...providers.users,
    ...signInLink.users,
    ...settings.users,
    ...fresh.users,
    ...grants.users,
  },
  'time-entries': {
    ...everyone['time-entries'],
    ...administration['time-entries'],
    ...timeEntriesServer,
    ...timeEntriesFiles,
    ...verification['time-entries'],
    ...printedEntries['time-entries'],
    ...volunteers['time-entries'],
    ...severalDays['time-entries'],
    ...signInSheet['time-entries'],
    ...offline['time-entries'],
  },
  categories: { ...everyone.categories, ...administration.categories },
  suggestions: { ...onDemand.suggestions, ...administration.suggestions },
  analytics: { ...onDemand.analytics, ...administration.analytics, ...analyticsFiles },
  photos: { ...onDemand.photos, ...photoScreens.photos, ...offline.photos, ...photosMail },
  'time-entry-imports': timeEntryImports['time-entry-imports'],
  'user-imports': { ...userImports['user-imports'], ...userImportsMail },
  verification: {
    ...verifierDesk.verification,
    ...verification.verification,
    ...weeklyMail.verification,
    ...outside,
    ...verificationMail,
  },
  system: { ...systemScreen.system, ...firstRun.system, ...systemMail },
  accessibility,
  'own-data': { ...onDemand['own-data'], ...administration['own-data'], ...ownDataMail },
} as const;
