import { describeRole } from '#features/users/roles/role-description.ts';
import { createTranslators } from '#server/i18n/translator.ts';
import { CAPABILITIES, type Capability, type GrantRole, SCHOOL_ROLES } from '#shared/permissions.ts';
import { allEndpoints, callOf } from '../../all-endpoints.ts';
import {
  PERMISSIONS,
  type Permission,
  type Reach,
  ROLES,
  requiredCapability,
  type Thing,
} from './permission-table.ts';

const INTRODUCTION = `# Who can do what

Generated from \`src/shared/permissions.ts\` and \`test/http/permissions/permission-table.ts\`. A test makes every call as every
kind of user and compares the responses with this page.

## Roles

A district administrator (\`role: admin\`) can do everything at every school. The other roles apply to one school; an auditor can
also have all schools. At all other schools, users with these roles are ordinary volunteers.
`;

const CALLS = `
## Calls

A call without permission returns 401 without a session and 403 with one. Records outside the user's scope return 404, as if they
did not exist. **Requires** names the capability that users other than district administrators need at the school. It also shows
whether the call needs re-authentication: a sign-in with a password, passkey or provider within the last ten minutes.
\`test/http/permissions/secrets.ts\` lists who can read each column.
`;

const endpoints = new Map([...(await allEndpoints()).values()].map((one) => [callOf(one), one]));

const english = createTranslators().translator;

const ROLE_NAMES = {
  'school-admin': 'School administrator',
  coordinator: 'Coordinator',
  auditor: 'Auditor',
} as const satisfies Record<GrantRole, string>;
const HEADINGS = {
  nobody: 'Not signed in',
  volunteer: 'Volunteer',
  administrator: 'District administrator',
} as const;

/** Writes the permission table as a page of the documentation. */
export function permissionsPage(): string {
  const capabilities = Object.entries(CAPABILITIES).map(([name, roles]) => [
    name,
    DESCRIPTIONS[name as Capability],
    ...SCHOOL_ROLES.map((role) => ((roles as readonly GrantRole[]).includes(role) ? 'yes' : '-')),
  ]);
  const calls = Object.entries(PERMISSIONS).map(([call, permission]) => [
    `\`${call}\``,
    [permission.deed ?? requiredCapability(permission) ?? '', proofFor(call)].filter(Boolean).join('; '),
    ...ROLES.map((role) =>
      isForHolders(permission)
        ? `anyone with the ${permission.thing}`
        : inWords(permission.reach[role], permission.thing),
    ),
  ]);
  const roles = table(['Capability', 'What', ...SCHOOL_ROLES.map((role) => ROLE_NAMES[role])], capabilities);
  const rows = table(['Call', 'Requires', ...ROLES.map((role) => HEADINGS[role])], calls);
  const sentences = SCHOOL_ROLES.map((role) => {
    return `- ${ROLE_NAMES[role]}: ${describeRole(role, 'the school', { t: english.t, language: 'en' })}.`;
  });
  return `${INTRODUCTION}\n${sentences.join('\n')}\n\n${roles}${CALLS}\n${rows}`;
}

function proofFor(call: string): string {
  const asked = endpoints.get(call)?.parts.freshProof;
  if (asked === undefined) return '';
  return asked === 'always' ? 're-authentication' : `re-authentication when ${asked.when}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}

function isForHolders({ thing, reach }: Permission): boolean {
  return thing !== 'nothing' && reach.nobody === 'any';
}

function inWords(reach: Reach, thing: Thing): string {
  if (reach === 'none') return '-';
  if (thing === 'nothing') return 'yes';
  return { own: `own ${thing}`, 'own schools': `${thing} at own schools`, any: `any ${thing}` }[
    reach
  ].replace('school at own schools', 'own schools');
}

/** The description of each capability, for docs/permissions.md. */
const DESCRIPTIONS: Readonly<Record<Capability, string>> = {
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
