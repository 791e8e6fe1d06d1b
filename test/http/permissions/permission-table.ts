import type { RoutePermission } from '#server/http/route-mount.ts';
import type { Capability } from '#shared/permissions.ts';

/**
 * The permissions: who may send each call, and about which things. Everything else is rejected: with 401 without a session, 403
 * for a role that is never allowed, and 404 for a thing out of reach.
 */
export const PERMISSIONS: Readonly<Record<string, Permission>> = {
  // The district, and getting in
  'GET /config': everybody(),
  'GET /schools/public': everybody(),
  'GET /schools/logos/:name': everybody('logo URL'),
  'POST /auth/login': everybody(),
  'POST /auth/register': everybody(),
  'POST /auth/second-factor': everybody('two-factor challenge'),
  'POST /auth/sign-in-link': everybody(),
  'POST /auth/sign-in-link/open': everybody('sign-in link'),
  'GET /auth/providers': everybody(),
  'POST /auth/passkey/options': everybody(),
  'POST /auth/passkey': everybody(),
  'POST /auth/second-factor/passkey': everybody('two-factor challenge'),
  'POST /auth/oidc/exchange': everybody('sign-in code'),
  'POST /auth/oidc/link': everybody('account-linking token'),
  'POST /auth/verify-email': everybody('email confirmation link'),
  'GET /verify/:token': everybody('external verifier link'),
  'POST /verify/:token': everybody('external verifier link'),
  'GET /auth/invites/:code': everybody('invitation'),
  'POST /auth/forgot-password': everybody(),
  'GET /auth/verify-reset-token/:token': everybody('password link'),
  'POST /auth/reset-password': everybody('password link'),

  // One's own account
  'POST /auth/logout': signedIn(),
  'POST /auth/oidc/sign-out': signedIn(),
  'GET /profile': signedIn(),
  'PUT /profile': signedIn(),
  'PUT /auth/change-password': signedIn(),
  'GET /auth/fresh': signedIn(),
  'POST /auth/fresh/passkey': signedIn(),
  'POST /auth/fresh': signedIn(),
  'GET /profile/sessions': signedIn(),
  'DELETE /profile/sessions/:id': own('session'),
  'POST /auth/sign-out-others': signedIn(),
  'GET /profile/providers': signedIn(),
  'DELETE /profile/providers/:id': own('linked provider'),
  'GET /profile/second-factor': signedIn(),
  'GET /profile/second-factor/passkeys': signedIn(),
  'POST /profile/second-factor/passkeys/options': signedIn(),
  'POST /profile/second-factor/passkeys': signedIn(),
  'PUT /profile/second-factor/passkeys/:id': own('passkey'),
  'DELETE /profile/second-factor/passkeys/:id': own('passkey'),
  'POST /profile/second-factor/totp': signedIn(),
  'POST /profile/second-factor/totp/confirm': signedIn(),
  'DELETE /profile/second-factor/totp': signedIn(),
  'POST /profile/second-factor/recovery-codes': signedIn(),
  'GET /profile/data': signedIn(),
  'POST /profile/erasure-request': signedIn(),
  'DELETE /profile/erasure-request': signedIn(),

  // Activities and suggestions
  'POST /log-codes/open': signedIn('activity code'),
  'GET /activities': memberOr('see categories and activities', 'school', 'own schools'),
  'GET /my-activity-suggestions': signedIn(),
  'GET /my-activity-suggestions/mail': signedIn(),
  'PUT /my-activity-suggestions/mail': signedIn(),
  'GET /profile/goal': signedIn(),
  'PUT /profile/goal': signedIn(),
  'GET /profile/household': signedIn(),
  'POST /profile/household': signedIn(),
  'POST /profile/household/code': signedIn(),
  'POST /profile/household/join': signedIn(),
  'DELETE /profile/household': signedIn(),
  'GET /profile/thanks': signedIn(),
  'POST /profile/thanks/put-away': signedIn(),
  'GET /profile/reminders': signedIn(),
  'PUT /profile/reminders': signedIn(),
  'GET /profile/mailings': signedIn(),
  'PUT /profile/mailings': signedIn(),
  'GET /my-verifications/asked': signedIn(),
  'GET /my-verifications/mail': signedIn(),
  'PUT /my-verifications/mail': signedIn(),
  'POST /activity-suggestions': memberOr('decide suggestions', 'school', 'own schools'),

  // Hours
  'GET /time-entries': memberOr('see entries', 'school', 'own schools'),
  'GET /time-entries/most-active': memberOr('see entries', 'school', 'own schools'),
  'POST /time-entries': memberOr('log for others', 'activity', 'own schools'),
  'POST /time-entries/several': memberOr('log for others', 'activity', 'own schools'),
  'POST /time-entries/several/undo': memberOr('edit entries', 'activity', 'own schools'),
  'PUT /time-entries/:id': memberOr('edit entries', 'entry', 'own'),
  'DELETE /time-entries/:id': memberOr('edit entries', 'entry', 'own'),
  'POST /time-entries/:id/restore': memberOr('restore deleted', 'deleted entry', 'own'),
  'POST /time-entries/:id/reopen-request': { ...own('decided entry'), gate: 'member or see entries' },
  'POST /time-entries/:id/supervisor': { ...own('entry sent to a verifier'), gate: 'member or see entries' },
  'GET /reports/statement': signedIn(),
  'POST /reports/statement': signedIn(),

  // Service letters
  'GET /reports/letters': memberOr('see people', 'account', 'own'),
  'POST /reports/letters': memberOr('see people', 'account with hours', 'own'),
  'POST /reports/letters/:id/withdraw': memberOr('see people', 'service letter', 'own', 'withdraw letters'),
  'POST /reports/letter-files': asks('issue letters', 'school'),
  'GET /reports/letter-files/:id': asks('issue letters', 'letter file', 'own'),
  'DELETE /reports/letter-files/:id': asks('issue letters', 'letter file', 'own'),
  'GET /letters/files/:token': everybody('letter link'),
  'POST /letters/check': everybody('letter code'),

  // Photos
  'GET /schools/:id/photos': memberOr('see photos', 'school', 'own schools'),
  'GET /activities/:id/photos': memberOr('see photos', 'activity', 'own schools'),
  'POST /activities/:id/photos': memberOr('manage photos', 'activity', 'own schools'),
  'GET /photos/rules': signedIn(),
  'GET /photos/:id': memberOr('see photos', 'photo', 'own schools'),
  'PUT /photos/:id': memberOr('see photos', 'photo', 'own schools', 'manage photos'),
  'DELETE /photos/:id': memberOr('see photos', 'photo', 'own schools', 'manage photos'),
  'POST /photos/:id/restore': memberOr('restore deleted', 'deleted photo', 'own'),
  'POST /photos/:id/takedown': memberOr('manage photos', 'photo', 'own schools'),
  'GET /photos/:id/files/:size': everybody('signed photo link'),

  // Administration: people
  'GET /admin/users': asks('see people'),
  'POST /admin/users/export': asks('see people'),
  'POST /admin/users': asks('manage people'),
  'POST /admin/mailings/preview': asks('write to people', 'account'),
  'POST /admin/mailings': asks('write to people', 'account'),
  'GET /admin/mailings': asks('write to people'),
  'POST /admin/users/many': asks('manage people', 'account'),
  'PUT /admin/users/:id': asks('manage people', 'account'),
  'POST /admin/users/:id/invite': asks('manage people', 'account'),
  'DELETE /admin/users/:id': asks('manage people', 'account'),
  'GET /admin/users/:id/second-factor': asks('manage people', 'account'),
  'DELETE /admin/users/:id/second-factor': asks('manage people', 'account'),
  'GET /admin/users/:id/merge': asks('manage people', 'account'),
  'POST /admin/users/:id/merge': asks('manage people', 'account'),
  'GET /admin/merges': asks('manage people'),
  'GET /admin/duplicates': asks('manage people'),
  'PUT /admin/users/:id/apart': asks('manage people', 'account'),
  'POST /admin/merges/:id/undo': asks('manage people', 'merge'),
  'POST /admin/users/:id/erase': asks('run the district', 'account'),
  'GET /admin/erasure-requests': asks('run the district'),
  'POST /admin/erasure-requests/:id/decline': asks('run the district', 'erasure request'),
  'GET /admin/waiting': asks('see people'),
  'GET /admin/memberships': asks('see requests'),
  'POST /admin/memberships/approve': asks('decide requests', 'membership request'),
  'POST /admin/memberships/decline': asks('decide requests', 'membership request'),
  'GET /admin/invites': asks('see requests'),
  'POST /admin/invites': asks('manage people'),
  'POST /admin/invites/:id/resend': asks('manage people', 'invite'),
  'DELETE /admin/invites/:id': asks('manage people', 'invite'),
  'GET /admin/user-imports': asks('import people'),
  'GET /admin/user-imports/template': asks('import people'),
  'POST /admin/user-imports/preview': asks('import people'),
  'POST /admin/user-imports': asks('import people'),
  'POST /admin/user-imports/:id/undo': asks('import people', 'import'),

  // Administration: schools, categories, activities, suggestions
  'GET /admin/schools': asks('see schools'),
  'POST /admin/schools/export': asks('see schools'),
  'POST /admin/schools/translations': asks('edit school'),
  'POST /admin/schools': asks('run the district'),
  'PUT /admin/schools/:id': asks('edit school', 'school'),
  'DELETE /admin/schools/:id': asks('run the district', 'school'),
  'POST /admin/schools/:id/logo': asks('edit school', 'school'),
  'DELETE /admin/schools/:id/logo': asks('edit school', 'school'),
  'GET /admin/categories': asks('see categories and activities', 'school'),
  'POST /admin/categories/export': asks('see categories and activities', 'school'),
  'POST /admin/categories/translations': asks('edit categories', 'school'),
  'POST /admin/categories': asks('edit categories', 'school'),
  'PUT /admin/categories/:id': asks('edit categories', 'category'),
  'DELETE /admin/categories/:id': asks('edit categories', 'category'),
  'GET /admin/activities': asks('see categories and activities', 'school'),
  'POST /admin/activities/export': asks('see categories and activities', 'school'),
  'POST /admin/activities/translations': asks('edit activities', 'school'),
  'POST /admin/activities': asks('edit activities', 'category'),
  'POST /admin/activities/bulk': asks('edit activities', 'school'),
  'GET /admin/activities/bulk': asks('edit activities', 'school'),
  'GET /admin/activities/starter-set': asks('edit activities'),
  'POST /admin/activities/bulk/:id/undo': asks('edit activities', 'activity batch'),
  'POST /admin/activities/:id/sign-in-sheet': asks('log for others', 'activity'),
  'GET /sign-in-sheets/:token': everybody('sign-in sheet link'),
  'POST /admin/activities/:id/log-code': asks('edit activities', 'activity'),
  'PUT /admin/activities/:id': asks('edit activities', 'activity'),
  'DELETE /admin/activities/:id': asks('edit activities', 'activity'),
  'GET /admin/activity-suggestions': asks('see suggestions', 'school'),
  'POST /admin/activity-suggestions/export': asks('see suggestions', 'school'),
  'GET /admin/activity-suggestions/count': asks('see suggestions', 'school'),
  'POST /admin/activity-suggestions/:id/approve': asks('decide suggestions', 'suggestion'),
  'POST /admin/activity-suggestions/:id/reject': asks('decide suggestions', 'suggestion'),
  'DELETE /admin/activity-suggestions/:id': asks('decide suggestions', 'suggestion'),

  // Administration: hours
  'GET /admin/time-entries': asks('see entries', 'school'),
  'GET /admin/time-entries/summary': asks('see entries', 'school'),
  'POST /admin/time-entries': asks('log for others', 'activity'),
  'POST /admin/time-entries/roster': asks('log for others', 'activity'),
  'POST /admin/time-entries/roster/undo': asks('log for others', 'activity'),
  'PUT /admin/time-entries/:id': asks('edit entries', 'entry'),
  'DELETE /admin/time-entries/:id': asks('edit entries', 'entry'),
  'GET /admin/time-entry-imports': asks('import hours', 'school'),
  'GET /admin/time-entry-imports/:id': asks('import hours', 'hours import'),
  'POST /admin/time-entry-imports/preview': asks('import hours', 'activity'),
  'POST /admin/time-entry-imports': asks('import hours', 'activity'),
  'POST /admin/time-entry-imports/:id/undo': asks('import hours', 'hours import'),
  'GET /admin/verifications': asks('see entries', 'school'),
  'POST /admin/verifications': asks('verify hours'),
  'POST /admin/verifications/:batch/undo': asks('verify hours', 'decision', 'own'),
  'POST /admin/time-entries/export': asks('export entries', 'school'),
  'GET /admin/time-entries/export/:id': asks('export entries', 'export', 'own'),
  'DELETE /admin/time-entries/export/:id': asks('export entries', 'export', 'own'),
  'GET /exports/:token': everybody('export link'),

  // Administration: photos and Google Drive
  'GET /admin/photos': asks('see photos', 'school'),
  'GET /admin/photos/activities': asks('see photos', 'school'),
  'GET /admin/photos/trash': asks('restore deleted', 'school'),
  'GET /admin/photos/review': asks('see photos', 'school'),
  'GET /admin/photos/review/count': asks('see photos', 'school'),
  'POST /admin/photos/:id/approve': asks('manage photos', 'waiting photo'),
  'GET /admin/photos/settings': asks('run the district'),
  'PUT /admin/photos/settings': asks('run the district'),
  'GET /admin/google-drive/status': asks('run the district'),
  'GET /admin/google-drive/auth-url': asks('run the district'),
  'POST /admin/google-drive/disconnect': asks('run the district'),
  'PUT /admin/google-drive/settings': asks('run the district'),
  'POST /admin/google-drive/sync-activities': asks('run the district'),
  'GET /admin/google-drive/sync': asks('run the district'),
  'GET /admin/google-drive/syncs/:id': asks('run the district', 'sync'),
  'POST /admin/google-drive/syncs/:id/cancel': asks('run the district', 'sync'),

  // Administration: analytics and the audit log
  'GET /admin/analytics/activities': asks('see figures', 'school'),
  'GET /admin/analytics/overview': asks('see figures', 'school'),
  'GET /admin/analytics/volunteers': asks('see figures', 'school'),
  'GET /admin/reports/rate': asks('see figures'),
  'PUT /admin/reports/rate': asks('run the district'),
  'GET /admin/reports/in-kind': asks('see figures', 'school'),
  'POST /admin/reports/in-kind/:format': asks('see figures', 'school'),
  'POST /admin/reports/summary': asks('see figures', 'school'),
  'GET /admin/audit': asks('see history'),

  // Administration: operations
  'GET /admin/milestones': asks('run the district'),
  'PUT /admin/milestones': asks('run the district'),
  'GET /admin/milestones/people': asks('run the district'),
  'POST /admin/milestones/people/file': asks('run the district'),
  'GET /admin/settings': asks('run the district'),
  'PUT /admin/settings': asks('run the district'),
  'POST /admin/settings/logo': asks('run the district'),
  'DELETE /admin/settings/logo': asks('run the district'),
  'DELETE /admin/settings/retention-pending': asks('run the district'),
  'POST /admin/settings/preview': asks('run the district'),
  'POST /admin/settings/test-mail': asks('run the district'),
  'GET /admin/retention': asks('run the district'),
  'GET /admin/legal-holds': asks('run the district'),
  'POST /admin/legal-holds': asks('run the district'),
  'POST /admin/legal-holds/:id/lift': asks('run the district', 'legal hold'),
  'GET /admin/first-run': asks('run the district'),
  'PUT /admin/first-run': asks('run the district'),
  'GET /admin/system': asks('run the district'),
  'POST /admin/system/test-mail': asks('run the district'),
  'POST /admin/system/clock/confirm': asks('run the district'),
  'POST /admin/system/backup/run': asks('run the district'),
  'GET /admin/system/backup-mail': asks('run the district'),
  'PUT /admin/system/backup-mail': asks('run the district'),
  'POST /admin/system/jobs/:name/run': asks('run the district', 'job'),
  'GET /admin/mail-queue': asks('run the district'),
  'POST /admin/mail-queue/:id/retry': asks('run the district', 'queued email'),
  'DELETE /admin/mail-queue/:id': asks('run the district', 'queued email'),
};

/** A user's role in the district. For a user with grants, the gate's capability decides. */
export const ROLES = ['nobody', 'volunteer', 'administrator'] as const;
export type Role = (typeof ROLES)[number] | 'holder';

/**
 * The things about which a role may send a call: none, its own, those of its own schools (including its own), or any. For a
 * call without a thing, 'any' means that it may be sent.
 */
export type Reach = 'none' | 'own' | 'own schools' | 'any';

/** The subject of a call, in its path, or else as `schoolId` in its query, or else in its body. */
export type Thing =
  | 'nothing'
  | 'school'
  | 'logo URL'
  | 'category'
  | 'activity'
  | 'activity batch'
  | 'activity code'
  | 'sign-in sheet link'
  | 'suggestion'
  | 'entry'
  | 'deleted entry'
  | 'decided entry'
  | 'entry sent to a verifier'
  | 'decision'
  | 'merge'
  | 'photo'
  | 'waiting photo'
  | 'deleted photo'
  | 'signed photo link'
  | 'account'
  | 'account with hours'
  | 'service letter'
  | 'letter file'
  | 'letter link'
  | 'letter code'
  | 'erasure request'
  | 'membership request'
  | 'invite'
  | 'invitation'
  | 'email confirmation link'
  | 'external verifier link'
  | 'password link'
  | 'sign-in code'
  | 'sign-in link'
  | 'account-linking token'
  | 'two-factor challenge'
  | 'linked provider'
  | 'session'
  | 'passkey'
  | 'import'
  | 'hours import'
  | 'export'
  | 'export link'
  | 'sync'
  | 'queued email'
  | 'job'
  | 'legal hold';

/**
 * A line of the table: the gate, the reach of roles without grants, and `deed`, the capability that the action requires if the
 * gate admits more people.
 */
export type Permission = Readonly<{
  gate: RoutePermission;
  thing: Thing;
  reach: Readonly<Record<(typeof ROLES)[number], Reach>>;
  deed?: Capability;
}>;

/** The capability that a gate requires besides membership; undefined if none. */
export function requiredCapability({ gate }: Pick<Permission, 'gate'>): Capability | undefined {
  if (gate === 'public' || gate === 'signedIn') return undefined;
  return gate.replace('member or ', '') as Capability;
}

/** Anyone, signed in or not; a thing is open to anyone with its link, code or address. */
function everybody(thing: Thing = 'nothing'): Permission {
  return { gate: 'public', thing, reach: { nobody: 'any', volunteer: 'any', administrator: 'any' } };
}

/** A thing is open to anyone signed in who has its code. */
function signedIn(thing: Thing = 'nothing'): Permission {
  const reach = { nobody: 'none', volunteer: 'any', administrator: 'any' } as const;
  return { gate: 'signedIn', thing, reach };
}

/** All signed-in users, for their own things. */
function own(thing: Thing): Permission {
  return { gate: 'signedIn', thing, reach: { nobody: 'none', volunteer: 'own', administrator: 'own' } };
}

/** Users with a capability, within its scope; `administrator` is the reach of a district administrator. */
function asks(gate: Capability, thing: Thing = 'nothing', administrator: Reach = 'any'): Permission {
  return { gate, thing, reach: { nobody: 'none', volunteer: 'none', administrator } };
}

/** Volunteers within the reach `volunteer`, and users with the capability. */
function memberOr(capability: Capability, thing: Thing, volunteer: Reach, deed?: Capability): Permission {
  const reach = { nobody: 'none', volunteer, administrator: 'any' } as const;
  return { gate: `member or ${capability}`, thing, reach, ...(deed === undefined ? {} : { deed }) };
}
