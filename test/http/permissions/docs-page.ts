import { describeRole } from '#features/users/roles/role-description.ts';
import { createTranslators } from '#server/i18n/translator.ts';
import { CAPABILITIES, type Capability } from '#shared/permissions.ts';
import { type GrantRole, SCHOOL_ROLES } from '#shared/roles.ts';
import { allEndpoints, callOf } from '../../all-endpoints.ts';
import { COMPRISES } from './capabilities.ts';
import { askedBy, PERMISSIONS, type Permission, type Reach, ROLES, type Thing } from './permission-table.ts';

const INTRODUCTION = `# Who may do what

Written from \`src/shared/permissions.ts\` and \`test/http/permissions/permission-table.ts\`; \`permissions.test.ts\` beside the latter
sends each call as everybody who may come, about a thing in every place, and in odd spellings of its path.

## Roles

A district administrator (\`role: admin\`) may do all of it at every school. The other roles are held at a school, an
auditor's also for all schools; elsewhere their holders are volunteers like any other.
`;

const CALLS = `
## Calls

Where nothing is allowed, nobody signed in gets 401 and everybody else 403. A thing out of reach is answered as if it
were not there (404). In the second column stands what somebody below a district administrator must be able to do, at
the school that the call is about. Whose texts may stand in an answer is listed column by column in
\`test/http/permissions/secrets.ts\`.
`;

const endpoints = new Map([...(await allEndpoints()).values()].map((one) => [callOf(one), one]));

const english = createTranslators().catalogue;

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

/** The permission value and the table as a page of the documentation. */
export function permissionsPage(): string {
  const capabilities = Object.entries(CAPABILITIES).map(([name, roles]) => [
    name,
    COMPRISES[name as Capability],
    ...SCHOOL_ROLES.map((role) => ((roles as readonly GrantRole[]).includes(role) ? 'yes' : '-')),
  ]);
  const calls = Object.entries(PERMISSIONS).map(([call, permission]) => [
    `\`${call}\``,
    [permission.deed ?? askedBy(permission) ?? '', proofFor(call)].filter(Boolean).join('; '),
    ...ROLES.map((role) =>
      isForHolders(permission)
        ? `whoever has the ${permission.thing}`
        : inWords(permission.reach[role], permission.thing),
    ),
  ]);
  const roles = table(['Capability', 'What', ...SCHOOL_ROLES.map((role) => ROLE_NAMES[role])], capabilities);
  const rows = table(['Call', 'Asks for', ...ROLES.map((role) => HEADINGS[role])], calls);
  const sentences = SCHOOL_ROLES.map((role) => {
    return `- ${ROLE_NAMES[role]}: ${describeRole(role, 'the school', { t: english.t, language: 'en' })}.`;
  });
  return `${INTRODUCTION}\n${sentences.join('\n')}\n\n${roles}${CALLS}\n${rows}`;
}

function proofFor(call: string): string {
  const asked = endpoints.get(call)?.parts.freshProof;
  if (asked === undefined) return '';
  return asked === 'always' ? 'a fresh proof' : `a fresh proof when ${asked.when}`;
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
  return { own: `own ${thing}`, 'own schools': `${thing} of own schools`, any: `any ${thing}` }[
    reach
  ].replace('school of own schools', 'own schools');
}
