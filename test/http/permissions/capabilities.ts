import type { Capability } from '#shared/permissions.ts';

/** What each capability includes, for docs/permissions.md. */
export const DESCRIPTIONS: Readonly<Record<Capability, string>> = {
  'run the district':
    'Schools (add, delete), registration, mail, Drive, imports from everywhere, account deletion, district roles, settings, the whole audit log, the server',
  'see schools': 'The list of schools with their totals',
  'edit school': "A school's name, settings and logo",
  'see people': 'The people of a school',
  'manage people': 'Add, edit, invite, deactivate and delete people, and give roles within the school',
  'write to people': 'Send one email to many people',
  'see requests': 'Requests to join, and invitations',
  'decide requests': 'Approve and decline requests to join',
  'import people': 'Import people from a list',
  'see categories and activities': 'Categories and activities, as administrators see them',
  'edit categories': 'Add, edit and delete categories',
  'edit activities': 'Add, edit and delete activities',
  'see suggestions': "Everybody's activity suggestions",
  'decide suggestions': 'Approve, reject and delete suggestions',
  'see entries': "Everybody's hours, and their totals",
  'log for others': 'Log hours for others, one by one or for a group',
  'import hours': 'Import hours from a file, and undo the import',
  'edit entries': "Edit and delete everybody's hours",
  'verify hours': "Verify, decline and reopen others' hours",
  'restore deleted': 'See deleted items, and restore hours and photos that other people deleted',
  'export entries': 'Export hours to a file, with names and account numbers',
  'export addresses': 'Include email addresses in exported hours and lists',
  'issue letters': 'Make the service letters of many people at once',
  'withdraw letters': "Withdraw everybody's service letters",
  'see figures': 'Analytics, the summary and the in-kind match',
  'see history': 'The audit log of a school',
  'see photos': 'Every photo, who uploaded it, and photos that wait for review',
  'manage photos': "Upload, approve, hide and delete photos, and edit everybody's captions",
};
