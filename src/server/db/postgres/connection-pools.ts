/**
 * The kinds of work that have connections of their own on PostgreSQL, so that none of them waits for another: a table
 * that somebody locked, or ten slow reports, hold up their own kind.
 */
const LANES = {
  requests: { connections: 10 },
  /** Session lookups: one read at the start of every request. */
  sessions: { connections: 3 },
  signIn: { connections: 4 },
  reports: { connections: 3 },
  /** Background work: clean-up, daily jobs, mail, Photo Sync. */
  jobs: { connections: 4 },
  /** Migrations, without a time limit. */
  upkeep: { connections: 1 },
} as const;

export type AnyConnectionPoolName = keyof typeof LANES;

/** Every lane except the one of requests, which is the default. */
export type ConnectionPoolName = Exclude<AnyConnectionPoolName, 'requests'>;

/** The most connections that a lane opens. */
export function maxPoolConnections(name: AnyConnectionPoolName): number {
  return LANES[name].connections;
}

/** A report may read a district's whole school year: it may take so many times as long as another request. */
export const REPORT_TIMEOUT_FACTOR = 3;
// A job may work through everything that is old.
const JOB_SECONDS = 300;
const JOB_LOCK_SECONDS = 60;
const IDLE_TIMES = 3;

/**
 * The settings of a connection: how long a statement may take, wait for a lock, and be waited for amid a
 * transaction.
 */
export function limitsOf(name: AnyConnectionPoolName, requestSeconds: number | undefined): readonly string[] {
  if (requestSeconds === undefined || name === 'upkeep') return [];
  const statement =
    name === 'jobs' ? JOB_SECONDS : requestSeconds * (name === 'reports' ? REPORT_TIMEOUT_FACTOR : 1);
  const lock = name === 'jobs' ? JOB_LOCK_SECONDS : requestSeconds;
  return [
    `set statement_timeout = '${statement}s'`,
    `set lock_timeout = '${lock}s'`,
    `set idle_in_transaction_session_timeout = '${statement * IDLE_TIMES}s'`,
  ];
}
