import { ABUSES } from './abuse-cases.ts';
import { type Event, REFUSALS, STATES, type State, TABLE } from './state-table.ts';

const INTRODUCTION = `# What happens to verified hours

Find the event in the first column and the state of the entry in the first row. Generated from
\`test/http/verified-hours/state-table.ts\`; a test performs every event on an entry in every state, on SQLite and PostgreSQL.

Ann is the volunteer, Maria the coordinator who verified, Tom a school administrator, Ada a district administrator, and the coach
an external supervisor. '2 of 2 h, Maria' means that 2 of 2 logged hours count and Maria decided; Ann reads 'your school' instead of
the name. None of these events sends the coach an email: that happens when hours are logged, and at five in the afternoon.

An activity cannot move to another school, and activities and schools cannot be merged.
`;

const names = Object.keys(STATES) as State[];

/** Writes the table as a page of the documentation. */
export function verifiedHoursPage(): string {
  const states = names.map((state) => [`**${state}**`, STATES[state][0], STATES[state][1]]);
  const refusals = Object.entries(REFUSALS).map(([name, [status, answer]]) => [
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
    table(['State', 'An entry', 'Afterwards it reads'], states),
    '## Errors\n\nThe entry stays as it is, and nothing is added to its history.\n',
    table(['', 'Status', 'Answer'], refusals),
    '## Events\n\n`=` means that nothing changes. The last column is what the audit log adds, unless there was an error.\n',
    table(['Event', ...names, 'Audit log'], events),
    '## Abuse of a supervisor’s link\n',
    table(['Someone might', 'Test in `routes.engines.test.ts`'], ABUSES),
  ].join('\n');
}

function shown(cell: string): string {
  if (cell === 'same') return '=';
  return cell in REFUSALS ? `_${cell}_` : cell;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return `${lines.join('\n')}\n`;
}
