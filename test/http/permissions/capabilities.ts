import type { Capability } from '#shared/permissions.ts';

/** What each capability comprises, for docs/permissions.md. */
export const COMPRISES: Readonly<Record<Capability, string>> = {
  'run the district':
    'Schools (add, delete), registration, mail, Drive, imports from everywhere, erasure, district roles, settings, the record of the whole district, the server',
  'see schools': 'The list of schools with their figures',
  'edit school': "A school's name, settings and logo",
  'see people': 'The people of a school',
  'manage people': 'Add, edit, invite, deactivate and delete people, and give roles within the school',
  'write to people': 'Write one letter to many people at once',
  'see requests': 'Requests to join, and invitations',
  'decide requests': 'Approve and decline requests to join',
  'import people': 'Import people from a list',
  'see categories and activities': 'Categories and activities, as administrators see them',
  'edit categories': 'Add, edit and delete categories',
  'edit activities': 'Add, edit and delete activities',
  'see suggestions': "Everybody's activity suggestions",
  'decide suggestions': 'Approve, reject and delete suggestions',
  'see entries': "Everybody's hours, and their totals",
  'log for others': 'Log hours for others, one by one or by roster',
  'import hours': 'Bring hours along in a file, and undo that',
  'edit entries': "Edit and delete anybody's hours",
  'verify hours': "Verify, decline and reopen others' hours",
  'restore deleted': 'See the trash, and bring back hours and photos that anybody deleted',
  'export entries': 'Export hours to a file, with names and the numbers of accounts',
  'export addresses': 'Have e-mail addresses in files of hours and of lists',
  'issue letters': 'Make the service letters of many people at once',
  'withdraw letters': "Withdraw anybody's service letters",
  'see figures': 'Analytics, the summary and the in-kind match',
  'see history': 'The record of what was done at a school',
  'see photos': 'Every photo, who uploaded it, and those that wait for a decision',
  'manage photos': "Upload, approve, hide and delete photos, and edit anybody's captions",
};
