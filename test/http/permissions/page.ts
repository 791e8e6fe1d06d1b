import { PERMISSIONS, type Permission, type Reach, ROLES, type Thing } from './table.ts';

const INTRODUCTION = `# Who may do what today

Written from \`test/http/permissions/table.ts\`, line by line; \`test/http/permissions/permissions.test.ts\` sends each call
as everybody who may come, about a thing in every place, and in odd spellings of its path. Where nothing is allowed,
nobody signed in gets 401 and everybody else 403. A thing out of reach is answered as if it were not there.
Whose texts may stand in an answer is listed column by column in \`test/http/permissions/secrets.ts\`.
`;

const HEADINGS = { nobody: 'Not signed in', volunteer: 'Volunteer', administrator: 'Administrator' } as const;

/** The table as a page of the documentation. */
export function permissionsPage(): string {
  const rows = Object.entries(PERMISSIONS).map(([call, { thing, reach }]) => [
    `\`${call}\``,
    ...ROLES.map((role) =>
      isForHolders(thing, reach) ? `whoever has the ${thing}` : inWords(reach[role], thing),
    ),
  ]);
  const head = ['Call', ...ROLES.map((role) => HEADINGS[role])];
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${INTRODUCTION}\n${lines.join('\n')}\n`;
}

function isForHolders(thing: Thing, reach: Permission['reach']): boolean {
  return thing !== 'nothing' && reach.nobody === 'any';
}

function inWords(reach: Reach, thing: Thing): string {
  if (reach === 'none') return '-';
  if (thing === 'nothing') return 'yes';
  return { own: `own ${thing}`, 'own schools': `${thing} of own schools`, any: `any ${thing}` }[
    reach
  ].replace('school of own schools', 'own schools');
}
