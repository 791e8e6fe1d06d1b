import * as audit from '#rooms/audit/server/own-data.ts';
import * as driveSync from '#rooms/drive-sync/server/own-data.ts';
import * as goals from '#rooms/goals/server/own-data.ts';
import * as households from '#rooms/households/server/own-data.ts';
import * as letters from '#rooms/letters/server/own-data.ts';
import * as mailings from '#rooms/mailings/server/own-data.ts';
import * as merges from '#rooms/merges/server/own-data.ts';
import * as photos from '#rooms/photos/server/own-data.ts';
import * as reminders from '#rooms/reminders/server/own-data.ts';
import * as retention from '#rooms/retention/server/own-data.ts';
import * as secondProof from '#rooms/second-proof/server/own-data.ts';
import * as suggestions from '#rooms/suggestions/server/own-data.ts';
import * as timeEntries from '#rooms/time-entries/server/own-data.ts';
import * as timeEntryImports from '#rooms/time-entry-imports/server/own-data.ts';
import * as userImports from '#rooms/user-imports/server/own-data.ts';
import * as users from '#rooms/users/server/own-data.ts';
import * as verification from '#rooms/verification/server/own-data.ts';
import * as kept from '#server/kept-data.ts';
import type { OwnData } from '#server/own-data.ts';
import * as own from './own-data.ts';

/** Everything that stores personal data, in the order of the download. */
export const KEEPERS: readonly OwnData[] = [
  users,
  secondProof,
  own,
  userImports,
  kept,
  driveSync,
  timeEntries,
  timeEntryImports,
  goals,
  households,
  reminders,
  mailings,
  letters,
  verification,
  photos,
  suggestions,
  audit,
  retention,
  merges,
];
