import { ABUSES } from './abuse-cases.ts';
import { ERRORS, type Event, STATES, type State, TABLE } from './state-table.ts';

const INTRODUCTION = `# What happens to verified hours

Find the event in the first column and the state of the entry in the first row. This page is generated from
\`test/http/verified-hours/state-table.ts\`. A test performs every event on an entry in every state, on SQLite and PostgreSQL.

Ann is the volunteer, Maria is the coordinator who verified, Tom is a school administrator, Ada is a district administrator, and the
coach is an external verifier. '2 of 2 h, Maria' means that 2 of the 2 logged hours count and that Maria decided. Ann sees 'your
school' instead of the name. None of these events emails the coach. Emails go out when hours are logged, and at 5 p.m.

An activity cannot move to another school, and activities and schools cannot be merged.
`;

const names = Object.keys(STATES) as State[];

/** Writes the table as a page of the documentation. */
export function verifiedHoursPage(): string {
  const states = names.map((state) => [`**${state}**`, STATES[state][0], STATES[state][1]]);
  const refusals = Object.entries(ERRORS).map(([name, [status, answer]]) => [
    `_${name}_`,
    status === 200 ? '200, in `skipped`' : String(status),
    answer,
  ]);
  const events = (Object.keys(TABLE) as Event[]).map((event) => [
    event,
    ...names.map((state) => shown(TABLE[event].cells[state])),
    TABLE[event].record.map((action) => `\`${action}\``).join(', ') || '-',
  ]);
  return [
    INTRODUCTION,
    '## States\n',
    table(['State', 'The entry is', 'Shown as'], states),
    '## Errors\n\nThe entry and its history do not change.\n',
    table(['Error', 'Status', 'Message'], refusals),
    '## Events\n\n`=` means that nothing changes. The last column lists the audit events, unless there is an error.\n',
    table(['Event', ...names, 'Audit log'], events),
    '## Abuse of a verifier’s link\n',
    table(['Someone tries to', 'Test in `routes.engines.test.ts`'], ABUSES),
  ].join('\n');
}

function shown(cell: string): string {
  if (cell === 'same') return '=';
  return cell in ERRORS ? `_${cell}_` : cell;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}
