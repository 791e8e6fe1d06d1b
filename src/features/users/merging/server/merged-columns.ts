import type { Column } from '#server/personal-data/data-export.ts';
import type { UserColumn } from '#server/personal-data/merged-rows-store.ts';

const byId = (column: Column): UserColumn => ({ column, key: 'id' });

/** Columns whose rows move to the surviving account. */
export const MOVES: readonly UserColumn[] = [
  byId('time_entries.user_id'),
  byId('time_entries.decided_by'),
  byId('time_entries.deleted_by'),
  byId('verification_batches.decided_by'),
  byId('photos.user_id'),
  byId('photos.deleted_by'),
  byId('photos.hidden_by'),
  byId('activity_suggestions.user_id'),
  byId('activity_suggestions.decided_by'),
  byId('service_letters.user_id'),
  byId('service_letters.issued_by'),
  byId('service_letters.withdrawn_by'),
  { column: 'service_letter_names.user_id', key: 'letter_id' },
  byId('invites.invited_by'),
  byId('invites.used_by'),
  byId('users.vouched_by'),
  byId('users.password_given_by'),
  byId('user_imports.imported_by'),
  byId('time_entry_imports.imported_by'),
  byId('time_entry_imports.undone_by'),
  byId('drive_connection.connected_by'),
  byId('drive_syncs.requested_by'),
  byId('announcements.sent_by'),
];

/** Columns whose rows are set aside, and added to the surviving account unless it has an equal row. */
export const JOINED_COLUMNS = [
  'user_schools.user_id',
  'user_grants.user_id',
  'suggestion_email_preferences.user_id',
  'verifier_email_preferences.user_id',
  'backup_email_preferences.user_id',
  'past_addresses.user_id',
  'reminder_preferences.user_id',
  'announcement_unsubscribes.user_id',
  'hour_goals.user_id',
  'milestone_thanks.user_id',
] as const satisfies readonly Column[];

/** Columns whose rows are set aside until the merge is undone, because each row is valid only for its original account. */
export const SET_ASIDE_COLUMNS = [
  'passkeys.user_id',
  'totp_secrets.user_id',
  'recovery_codes.user_id',
  'two_factor_grace_periods.user_id',
  'provider_links.user_id',
  'user_import_users.user_id',
  'user_import_memberships.user_id',
] as const satisfies readonly Column[];

/** Columns whose rows a merge deletes permanently. */
export const ENDS = [
  'sessions.user_id',
  'password_links.user_id',
  'sign_in_links.user_id',
  'email_confirmations.user_id',
  'totp_offers.user_id',
  'sign_in_challenges.user_id',
  'known_devices.user_id',
  'exports.user_id',
  'service_letter_files.user_id',
  'drive_attempts.user_id',
  'emails.user_id',
  'household_members.user_id',
  'announcement_recipients.user_id',
] as const satisfies readonly Column[];

/** The columns of `ENDS` that hold links, which were emailed to the address that the account loses. */
export const EMAILED_LINK_COLUMNS = [
  'password_links.user_id',
  'sign_in_links.user_id',
  'email_confirmations.user_id',
] as const;

const SUM = 'a sum, which follows the entries by itself';
const DEED = 'the record of merges themselves';
const HOLD = 'holds in force prevent a merge; lifted ones say whom they were about';

/** Columns that refer to people and are not changed by a merge, with the reason. */
export const UNCHANGED_COLUMNS: Readonly<Partial<Record<Column, string>>> = {
  'school_volunteers.user_id': SUM,
  'activity_volunteers.user_id': SUM,
  'month_volunteers.user_id': SUM,
  'audit_events.actor_id': 'the record is never changed; a person is shown with what became part of them',
  'audit_events.person_id': 'the record is never changed; a person is shown with what became part of them',
  'deletion_requests.user_id': 'an account with a deletion request is not merged',
  'legal_holds.user_id': HOLD,
  'legal_holds.placed_by': HOLD,
  'legal_holds.lifted_by': HOLD,
  'exports.made_by': 'a process of the server',
  'service_letter_files.made_by': 'a process of the server',
  'sessions.signed_in_by': 'what a session was opened with; the session ends',
  'account_merges.from_user_id': DEED,
  'account_merges.into_user_id': DEED,
  'account_merges.merged_by': DEED,
  'account_merges.undone_by': DEED,
  'not_duplicates.low_user_id': 'who is not the same person as the account that ended',
  'not_duplicates.high_user_id': 'who is not the same person as the account that ended',
  'not_duplicates.said_by': 'who said so, which is part of the record of it',
};
