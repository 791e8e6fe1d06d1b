import { CompiledQuery, type KyselyPlugin, sql } from 'kysely';
import { type Database, type Trx, transaction } from '#server/db/database.ts';

/** A statement that a call ran. */
export type Statement = Readonly<{ call: string; sql: string; parameters: readonly unknown[] }>;

/**
 * A problem in a query plan: a table scan, a sort of more than a page, far more rows read than returned, or rows fetched only to
 * count or sum them.
 */
export type Problem = Readonly<{
  what: 'scans' | 'sorts' | 'reads' | 'fetches';
  tables: string;
  statement: Statement;
  plan: string;
}>;

/** Tables with at most a few hundred rows in the largest district. */
const SMALL = ['schools', 'categories', 'school_sums'];

// More entries than the busiest volunteer has: PostgreSQL rightly prefers to read or sort all entries of one person
// while they are few.
const FOR_A_PAGE = 600;

/** Records every statement of a database under the call that `during` sets. */
export function recording(database: Database) {
  const statements: Statement[] = [];
  let call = 'nothing';
  const recorder: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const { sql: text, parameters } = database.db.getExecutor().compileQuery(node, queryId);
      statements.push({ call, sql: text, parameters });
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const recorded: Database = {
    ...database,
    db: database.db.withPlugin(recorder),
    transact: (work) => database.transact((trx) => work(trx.withPlugin(recorder))),
    withPool: () => recorded,
  };
  return {
    database: recorded,
    statements,
    during: async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
      call = name;
      return work();
    },
  };
}

/** The statements without duplicates, because the same text within a call has the same plan. */
export function distinct(statements: readonly Statement[]): Statement[] {
  return [
    ...new Map(statements.map((statement) => [`${statement.call}\n${statement.sql}`, statement])).values(),
  ];
}

/** The problems in the plans of these statements. */
export async function problemsOf(database: Database, statements: readonly Statement[]): Promise<Problem[]> {
  return undone(database, (trx) => problemsIn(trx, database, statements));
}

/** The problems without some indexes, which are restored afterwards. */
export async function problemsWithout(
  database: Database,
  indexes: readonly string[],
  statements: readonly Statement[],
): Promise<Problem[]> {
  return undone(database, async (trx) => {
    for (const index of indexes) await sql`drop index ${sql.id(index)}`.execute(trx);
    return problemsIn(trx, database, statements);
  });
}

async function problemsIn(
  trx: Trx,
  { engine }: Database,
  statements: readonly Statement[],
): Promise<Problem[]> {
  const found: Problem[] = [];
  for (const statement of statements) {
    if (!/^(select|with|update|delete)/i.test(statement.sql)) continue;
    found.push(...(engine === 'sqlite' ? await onSqlite(trx, statement) : await onPostgres(trx, statement)));
  }
  return found;
}

// Rolls everything back, including dropped indexes and measured changes.
async function undone<Result>(database: Database, work: (trx: Trx) => Promise<Result>): Promise<Result> {
  let result: { of: Result } | undefined;
  const end = new Error('rolled back on purpose');
  await transaction(database, async (trx) => {
    result = { of: await work(trx) };
    throw end;
  }).catch((error: unknown) => {
    if (error !== end) throw error;
  });
  if (result === undefined) throw end;
  return result.of;
}

type Step = { id: number; parent: number; detail: string };

async function onSqlite(trx: Trx, statement: Statement): Promise<Problem[]> {
  const { rows } = await explain<Step>(trx, 'explain query plan', statement);
  const plan = rows.map((row) => row.detail).join('\n');
  const problem = (what: Problem['what'], tables: string): Problem => ({ what, tables, statement, plan });
  const isPage = / limit /i.test(statement.sql);
  return rows.flatMap((step) => {
    const block = rows.filter((other) => other.parent === step.parent);
    const [, scanned, index] = /^SCAN (\w+)(?:.* INDEX (\w+))?/.exec(step.detail) ?? [];
    if (scanned !== undefined && !['CONSTANT', ...SMALL].includes(scanned) && !/^\d+$/.test(scanned)) {
      // An index in list order is read only until the page is full, unless a search skips most rows.
      const stopsEarly =
        isPage && index !== undefined && !block.some(isSort) && !/ like /i.test(statement.sql);
      return stopsEarly ? [] : [problem('scans', scanned)];
    }
    if (step.detail.includes('AUTOMATIC')) return [problem('scans', tableOf(step))];
    if (
      step.detail.startsWith('SEARCH time_entries') &&
      isSumming(statement) &&
      !step.detail.includes('COVERING')
    ) {
      return [problem('fetches', 'time_entries')];
    }
    if (!isSort(step)) return [];
    const loops = block.filter((other) => /^(SEARCH|SCAN)/.test(other.detail));
    const [outermost] = loops;
    // Rows fetched by their ids, where the ids are those of one page.
    const isCut = isPage && outermost?.detail.includes('USING INTEGER PRIMARY KEY (rowid=?)') === true;
    const tables = loops.map(tableOf);
    return isCut || tables.every((table) => SMALL.includes(table))
      ? []
      : [problem('sorts', tables.sort().join(', '))];
  });
}

function isSumming({ sql: text }: Statement): boolean {
  return / (sum|count)\(/.test(text);
}

function isSort(step: Step): boolean {
  return step.detail.startsWith('USE TEMP B-TREE');
}

function tableOf(step: Step): string {
  return /^(?:SEARCH|SCAN) (\w+)/.exec(step.detail)?.[1] ?? step.detail;
}

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
};

/**
 * Plans a statement twice: normally, for the rows that PostgreSQL really reads and sorts, and with table scans and sorts
 * discouraged, because it rightly scans tables of a few hundred rows. If the second plan still scans or sorts, an index is
 * missing.
 */
async function onPostgres(trx: Trx, statement: Statement): Promise<Problem[]> {
  const isRead = /^(select|with)/i.test(statement.sql);
  const asItRuns = isRead
    ? nodesOf(await planOf(trx, 'explain (analyze, timing off, format json)', statement))
    : [];
  await sql`set local enable_seqscan = off`.execute(trx);
  await sql`set local enable_sort = off`.execute(trx);
  const avoiding = nodesOf(await planOf(trx, 'explain (format json)', statement));
  await sql`set local enable_seqscan = on`.execute(trx);
  await sql`set local enable_sort = on`.execute(trx);
  const problem = (what: Problem['what'], node: Node): Problem[] => {
    const tables = nodesOf(node).flatMap((inner) => inner['Relation Name'] ?? []);
    if (tables.every((table) => SMALL.includes(table))) return [];
    const plan = JSON.stringify(node, undefined, 1);
    return [{ what, tables: [...new Set(tables)].sort().join(', '), statement, plan }];
  };
  return [
    ...asItRuns.flatMap((node) => {
      const read = rowsRead(node);
      if (node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'time_entries')
        return problem('scans', node);
      if (
        node['Relation Name'] === 'time_entries' &&
        isSumming(statement) &&
        node['Node Type'] !== 'Index Only Scan'
      ) {
        return problem('fetches', node);
      }
      if (node['Relation Name'] === 'time_entries' && read > FOR_A_PAGE) return problem('reads', node);
      return isSorting(node) && rowsRead(node.Plans?.[0]) > FOR_A_PAGE ? problem('sorts', node) : [];
    }),
    ...avoiding.flatMap((node) => {
      if (node['Node Type'] === 'Seq Scan') return problem('scans', node);
      return isSorting(node) && !isCut(node.Plans?.[0]) ? problem('sorts', node) : [];
    }),
  ];
}

function isSorting(node: Node): boolean {
  return node['Node Type'] === 'Sort';
}

function rowsRead(node: Node | undefined): number {
  if (node === undefined) return 0;
  const dropped = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return ((node['Actual Rows'] ?? 0) + dropped) * (node['Actual Loops'] ?? 1);
}

// Whether rows come from a page that was limited before, so that joined tables are read row by row.
function isCut(node: Node | undefined): boolean {
  if (node === undefined) return false;
  if (node['Node Type'] === 'Limit' || node['Node Type'] === 'Result') return true;
  return isCut(node.Plans?.[0]);
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

async function planOf(trx: Trx, how: string, statement: Statement): Promise<Node> {
  const { rows } = await explain<{ 'QUERY PLAN': string }>(trx, how, statement);
  const [{ Plan: plan } = {}] = JSON.parse(rows[0]?.['QUERY PLAN'] ?? '[]') as { Plan?: Node }[];
  if (plan === undefined) throw new Error(`no plan for ${statement.sql}`);
  return plan;
}

let explained = 0;

function explain<Row>(trx: Trx, how: string, statement: Statement) {
  // Each has a different text, because the plan of a repeated text may be from before an index was dropped.
  const text = `${how} ${statement.sql} -- ${++explained}`;
  return trx.executeQuery<Row>(CompiledQuery.raw(text, [...statement.parameters]));
}
