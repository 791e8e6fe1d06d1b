/**
 * Who may call what. Each line reads: who sends this call, about which of the things it names. What is not allowed here
 * is refused: nobody signed in gets 401, a role that may never 403, and a thing out of reach is not found.
 */
export const PERMISSIONS: Readonly<Record<string, Permission>> = {
  // The district, and getting in
  'GET /config': everybody(),
  'GET /schools/public': everybody(),
  'GET /schools/logos/:name': everybody('logo'),
  'POST /auth/login': everybody(),
  'POST /auth/register': everybody(),
  'POST /auth/verify-email': everybody('confirmation'),
  'GET /auth/invites/:code': everybody('invitation'),
  'POST /auth/forgot-password': everybody(),
  'GET /auth/verify-reset-token/:token': everybody('password link'),
  'POST /auth/reset-password': everybody('password link'),

  // One's own account
  'POST /auth/logout': signedIn(),
  'GET /profile': signedIn(),
  'PUT /profile': signedIn(),
  'PUT /auth/change-password': signedIn(),
  'GET /profile/sessions': signedIn(),
  'POST /auth/sign-out-others': signedIn(),
  'GET /profile/data': signedIn(),
  'POST /profile/erasure-request': signedIn(),
  'DELETE /profile/erasure-request': signedIn(),

  // Activities and suggestions
  'GET /activities': on('school', { volunteer: 'own schools', administrator: 'any' }),
  'GET /my-activity-suggestions': signedIn(),
  'GET /my-activity-suggestions/mail': signedIn(),
  'PUT /my-activity-suggestions/mail': signedIn(),
  'POST /activity-suggestions': on('school', { volunteer: 'own schools', administrator: 'any' }),

  // Hours
  'GET /time-entries': on('school', { volunteer: 'own schools', administrator: 'any' }),
  'GET /time-entries/most-active': on('school', { volunteer: 'own schools', administrator: 'any' }),
  'POST /time-entries': on('activity', { volunteer: 'own schools', administrator: 'any' }),
  'PUT /time-entries/:id': on('entry', { volunteer: 'own', administrator: 'any' }),
  'DELETE /time-entries/:id': on('entry', { volunteer: 'own', administrator: 'any' }),
  'POST /time-entries/:id/restore': on('deleted entry', { volunteer: 'own', administrator: 'any' }),
  'GET /reports/statement': signedIn(),
  'POST /reports/statement': signedIn(),

  // Photos
  'GET /schools/:id/photos': on('school', { volunteer: 'own schools', administrator: 'any' }),
  'GET /activities/:id/photos': on('activity', { volunteer: 'own schools', administrator: 'any' }),
  'POST /activities/:id/photos': on('activity', { volunteer: 'own schools', administrator: 'any' }),
  'GET /photos/rules': signedIn(),
  'GET /photos/:id': on('photo', { volunteer: 'own schools', administrator: 'any' }),
  'PUT /photos/:id': on('photo', { volunteer: 'own schools', administrator: 'any' }),
  'DELETE /photos/:id': on('photo', { volunteer: 'own schools', administrator: 'any' }),
  'POST /photos/:id/restore': on('deleted photo', { volunteer: 'own', administrator: 'any' }),
  'POST /photos/:id/takedown': on('photo', { volunteer: 'own schools', administrator: 'any' }),
  'GET /photos/:id/files/:size': everybody('photo file'),

  // Administration: people
  'GET /admin/users': administrators(),
  'POST /admin/users': administrators(),
  'PUT /admin/users/:id': administrators('account'),
  'DELETE /admin/users/:id': administrators('account'),
  'POST /admin/users/:id/erase': administrators('account'),
  'GET /admin/erasure-requests': administrators(),
  'POST /admin/erasure-requests/:id/decline': administrators('erasure request'),
  'GET /admin/waiting': administrators(),
  'GET /admin/memberships': administrators(),
  'POST /admin/memberships/approve': administrators('waiting member'),
  'POST /admin/memberships/decline': administrators('waiting member'),
  'GET /admin/invites': administrators(),
  'POST /admin/invites': administrators(),
  'POST /admin/invites/:id/resend': administrators('invite'),
  'DELETE /admin/invites/:id': administrators('invite'),
  'GET /admin/user-imports': administrators(),
  'GET /admin/user-imports/template': administrators(),
  'POST /admin/user-imports/preview': administrators(),
  'POST /admin/user-imports': administrators(),
  'POST /admin/user-imports/:id/undo': administrators('import'),

  // Administration: schools, categories, activities, suggestions
  'GET /admin/schools': administrators(),
  'POST /admin/schools': administrators(),
  'PUT /admin/schools/:id': administrators('school'),
  'DELETE /admin/schools/:id': administrators('school'),
  'POST /admin/schools/:id/logo': administrators('school'),
  'DELETE /admin/schools/:id/logo': administrators('school'),
  'GET /admin/categories': administrators('school'),
  'POST /admin/categories': administrators('school'),
  'PUT /admin/categories/:id': administrators('category'),
  'DELETE /admin/categories/:id': administrators('category'),
  'GET /admin/activities': administrators('school'),
  'POST /admin/activities': administrators('category'),
  'PUT /admin/activities/:id': administrators('activity'),
  'DELETE /admin/activities/:id': administrators('activity'),
  'GET /admin/activity-suggestions': administrators('school'),
  'GET /admin/activity-suggestions/count': administrators('school'),
  'POST /admin/activity-suggestions/:id/approve': administrators('suggestion'),
  'POST /admin/activity-suggestions/:id/reject': administrators('suggestion'),
  'DELETE /admin/activity-suggestions/:id': administrators('suggestion'),

  // Administration: hours
  'GET /admin/time-entries': administrators('school'),
  'GET /admin/time-entries/summary': administrators('school'),
  'POST /admin/time-entries': administrators('activity'),
  'POST /admin/time-entries/roster': administrators('activity'),
  'PUT /admin/time-entries/:id': administrators('entry'),
  'DELETE /admin/time-entries/:id': administrators('entry'),
  'POST /admin/time-entries/export': administrators('school'),
  'GET /admin/time-entries/export/:id': on('export', { administrator: 'own' }),
  'DELETE /admin/time-entries/export/:id': on('export', { administrator: 'own' }),
  'GET /exports/:token': everybody('export link'),

  // Administration: photos and Google Drive
  'GET /admin/photos/trash': administrators('school'),
  'GET /admin/photos/review': administrators('school'),
  'GET /admin/photos/review/count': administrators('school'),
  'POST /admin/photos/:id/approve': administrators('waiting photo'),
  'GET /admin/photos/settings': administrators(),
  'PUT /admin/photos/settings': administrators(),
  'GET /admin/google-drive/status': administrators(),
  'GET /admin/google-drive/auth-url': administrators(),
  'POST /admin/google-drive/disconnect': administrators(),
  'PUT /admin/google-drive/settings': administrators(),
  'POST /admin/google-drive/sync-activities': administrators(),
  'GET /admin/google-drive/sync': administrators(),
  'GET /admin/google-drive/syncs/:id': administrators('sync'),
  'POST /admin/google-drive/syncs/:id/cancel': administrators('sync'),

  // Administration: figures and the record
  'GET /admin/analytics/activities': administrators('school'),
  'GET /admin/analytics/overview': administrators('school'),
  'GET /admin/analytics/volunteers': administrators('school'),
  'GET /admin/reports/rate': administrators(),
  'PUT /admin/reports/rate': administrators(),
  'GET /admin/reports/in-kind': administrators('school'),
  'POST /admin/reports/in-kind/:format': administrators('school'),
  'POST /admin/reports/summary': administrators('school'),
  'GET /admin/audit': administrators(),

  // Administration: how the server is
  'GET /admin/settings': administrators(),
  'PUT /admin/settings': administrators(),
  'POST /admin/settings/preview': administrators(),
  'GET /admin/retention': administrators(),
  'GET /admin/legal-holds': administrators(),
  'POST /admin/legal-holds': administrators(),
  'POST /admin/legal-holds/:id/lift': administrators('hold'),
  'GET /admin/system': administrators(),
  'POST /admin/system/test-mail': administrators(),
  'POST /admin/system/backup/run': administrators(),
  'GET /admin/system/backup-mail': administrators(),
  'PUT /admin/system/backup-mail': administrators(),
  'POST /admin/system/jobs/:name/run': administrators('job'),
  'GET /admin/mail-queue': administrators(),
  'POST /admin/mail-queue/:id/retry': administrators('letter'),
  'DELETE /admin/mail-queue/:id': administrators('letter'),
};

/** What somebody is to the district. A further role is a further column: TypeScript then asks each line for it. */
export const ROLES = ['nobody', 'volunteer', 'administrator'] as const;
export type Role = (typeof ROLES)[number];

/**
 * Of which things a role may send a call: none, its own, those of its own schools (its own are among them), or any.
 * A call that names nothing may be sent, or may not.
 */
export type Reach = 'none' | 'own' | 'own schools' | 'any';

/** What a call is about: in its path, else as `schoolId` in its query, else in its body. */
export type Thing =
  | 'nothing'
  | 'school'
  | 'logo'
  | 'category'
  | 'activity'
  | 'suggestion'
  | 'entry'
  | 'deleted entry'
  | 'photo'
  | 'waiting photo'
  | 'deleted photo'
  | 'photo file'
  | 'account'
  | 'erasure request'
  | 'waiting member'
  | 'invite'
  | 'invitation'
  | 'confirmation'
  | 'password link'
  | 'import'
  | 'export'
  | 'export link'
  | 'sync'
  | 'letter'
  | 'job'
  | 'hold';

export type Permission = Readonly<{ thing: Thing; reach: Readonly<Record<Role, Reach>> }>;

/** Signed in or not; a thing is for whoever holds its link, its code or its address. */
function everybody(thing: Thing = 'nothing'): Permission {
  return on(thing, { nobody: 'any', volunteer: 'any', administrator: 'any' });
}

function signedIn(): Permission {
  return on('nothing', { volunteer: 'any', administrator: 'any' });
}

function administrators(thing: Thing = 'nothing'): Permission {
  return on(thing, { administrator: 'any' });
}

function on(thing: Thing, reach: Partial<Record<Role, Reach>>): Permission {
  return { thing, reach: { nobody: 'none', volunteer: 'none', administrator: 'none', ...reach } };
}
