import { ABUSES } from './abuse-cases.ts';
import { type Event, REFUSALS, STATES, type State, TABLE } from './state-table.ts';

const INTRODUCTION = `# What becomes of verified hours

Written from \`test/http/verified-hours/state-table.ts\`; \`states.test.ts\` beside it does each of this to an entry in each state
on both engines, and then compares the sums with the entries, the record, what the volunteer reads, and the letters.

Ann is the volunteer, Maria the coordinator who verified, Tom an administrator of the school, Ada the district's, and the
coach a supervisor outside. 'by' below names who decided. Nothing here sends a letter to the coach by itself: those go when
hours are logged, and at five in the afternoon. Ann reads 'your school' for whoever of the school decided.

Activities stay with their school, and neither activities nor schools are merged.
`;

const names = Object.keys(STATES) as State[];

/** The table as a page of the documentation. */
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
    '## Refusals\n\nThe entry stays as it is, and nothing is recorded.\n',
    table(['', 'Status', 'Answer'], refusals),
    '## Events\n\n`=`: it stays as it was. The record says what the last column names, unless it was refused.\n',
    table(['Event', ...names, 'Record'], events),
    '## Abuses of a supervisor’s link\n',
    table(['Somebody might', 'Test in `outside.engines.test.ts`'], ABUSES),
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
