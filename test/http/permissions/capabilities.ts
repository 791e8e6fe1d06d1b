import type { Capability } from '#shared/permissions.ts';

/** What each capability includes, for docs/permissions.md. */
export const DESCRIPTIONS: Readonly<Record<Capability, string>> = {
  'run the district':
    'Add and delete schools; manage registration, email, Google Drive, all imports, account deletion, district roles, settings and the server; see the whole audit log',
  'see schools': 'See the list of schools with their totals',
  'edit school': "Change a school's name, settings and logo",
  'see people': 'See the people of a school',
  'manage people': 'Add, edit, invite, deactivate and delete people, and give roles within the school',
  'write to people': 'Send one email to many people',
  'see requests': 'See requests to join and invitations',
  'decide requests': 'Approve and decline requests to join',
  'import people': 'Import people from a list',
  'see categories and activities': 'See categories and activities as administrators do',
  'edit categories': 'Add, edit and delete categories',
  'edit activities': 'Add, edit and delete activities',
  'see suggestions': "See everyone's activity suggestions",
  'decide suggestions': 'Approve, reject and delete suggestions',
  'see entries': "See everyone's hours and their totals",
  'log for others': 'Log hours for others, one by one or for a group',
  'import hours': 'Import hours from a file, and undo the import',
  'edit entries': "Edit and delete everyone's hours",
  'verify hours': "Verify, decline and reopen other people's hours",
  'restore deleted': 'See deleted items, and restore hours and photos that other people deleted',
  'export entries': 'Export hours to a file, with names and account numbers',
  'export addresses': 'Include email addresses in exported hours and lists',
  'issue letters': 'Make service letters for many people at once',
  'withdraw letters': "Withdraw everyone's service letters",
  'see figures': 'See analytics, the summary and the in-kind match',
  'see history': 'See the audit log of a school',
  'see photos': 'See every photo, including those waiting for review, and who uploaded it',
  'manage photos': "Upload, approve, hide and delete photos, and edit everyone's captions",
};
