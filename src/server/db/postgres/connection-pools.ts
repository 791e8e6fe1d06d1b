/**
 * The connection pools on PostgreSQL by kind of work, so that a locked table or ten slow reports delay only
 * their own kind.
 */
const POOLS = {
  requests: { connections: 10 },
  /** Session lookups: one read at the start of every request. */
  sessions: { connections: 3 },
  signIn: { connections: 4 },
  reports: { connections: 3 },
  /** Background work: cleanup, daily jobs, email, Google Drive sync. */
  jobs: { connections: 4 },
  /** Migrations, without a time limit. */
  upkeep: { connections: 1 },
} as const;

export type AnyConnectionPoolName = keyof typeof POOLS;

/** Every pool except the default one, which serves requests. */
export type ConnectionPoolName = Exclude<AnyConnectionPoolName, 'requests'>;

/** The size of a pool. */
export function maxPoolConnections(name: AnyConnectionPoolName): number {
  return POOLS[name].connections;
}

/** The time limit of a report as a multiple of a request's, because a report may read a district's whole school year. */
export const REPORT_TIMEOUT_FACTOR = 3;
// A job may process a large backlog.
const JOB_SECONDS = 300;
const JOB_LOCK_SECONDS = 60;
const IDLE_TIMES = 3;

/**
 * The settings of a connection: limits for a statement, a lock wait, and idling in a transaction. Empty for `upkeep`, and
 * without `requestSeconds`.
 */
export function connectionLimits(
  name: AnyConnectionPoolName,
  requestSeconds: number | undefined,
): readonly string[] {
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
