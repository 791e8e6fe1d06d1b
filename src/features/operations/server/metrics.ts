import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, Histogram, Registry } from 'prom-client';
import { type Deps, withConnectionPool } from '#server/deps.ts';
import type { CompletedRequest } from '#server/http/request-log.ts';
import { diskSpace, type MonitoredValues, readMonitoredValues } from './monitoring.ts';

/** A server's metrics for Prometheus. */
export type Metrics = Readonly<{
  /** Counts a request. */
  note: (past: CompletedRequest) => void;
  /** Returns all metrics in Prometheus's text format. */
  text: () => Promise<string>;
  close: () => void;
}>;

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
// Cached, because reading the metrics takes several queries.
const CACHE_MS = 1_000;
const NANO = 1e9;

/** Starts collecting metrics. */
export function openMetrics(deps: Deps): Metrics {
  const registry = new Registry();
  const requests = createRequestHistogram(registry);
  const gauges = createGauges(registry);
  const loop = monitorEventLoopDelay({ resolution: 10 });
  loop.enable();
  let readAt = Number.NEGATIVE_INFINITY;
  let cached: Promise<string> | undefined;
  const readAll = async () => {
    fillProcess(gauges, deps, loop);
    await fillFromDatabase(gauges, deps);
    return registry.metrics();
  };
  return {
    note: ({ method, route, status, milliseconds }) =>
      requests.observe({ method, route, status: String(status) }, milliseconds / 1_000),
    text: () => {
      if (cached === undefined || performance.now() - readAt > CACHE_MS) {
        readAt = performance.now();
        cached = readAll();
      }
      return cached;
    },
    close: () => {
      loop.disable();
      registry.clear();
    },
  };
}

function createRequestHistogram(registry: Registry) {
  return new Histogram({
    name: 'vtt_http_request_duration_seconds',
    help: 'Request duration by route',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  });
}

// The metrics of a single process by name, with their help text.
const OF_PROCESS = {
  vtt_up_seconds: 'Uptime of this process',
  vtt_cpu_seconds_total: 'CPU time used by this process',
  vtt_memory_resident_bytes: 'Resident memory of this process',
  vtt_memory_heap_used_bytes: 'Used JavaScript heap of this process',
  vtt_event_loop_lag_seconds: 'Event loop delay since the last scrape, 99th percentile',
  vtt_event_loop_lag_max_seconds: 'Maximum event loop delay since the last scrape',
  vtt_database_connections: 'Open database connections',
  vtt_database_connections_idle: 'Idle database connections',
  vtt_database_waiting: 'Queries waiting for a database connection',
} as const;
// The help text of metrics that have the same value in every process.
const HELP = {
  vtt_database_up: '1 if the database responds',
  vtt_queue_oldest_mail_seconds: 'Age of the oldest email waiting to be sent; 0 if there is none',
  vtt_storage_free_bytes: 'Free space on the data disk',
  vtt_storage_total_bytes: 'Size of the data disk',
  vtt_backup_age_seconds: 'Time since the last backup; absent if there is none',
  vtt_backup_failing: '1 if the last backup failed',
  vtt_log_copy_failing: '1 if continuous backup of SQLite is on but failing',
  vtt_sums_wrong_schools: 'Schools whose totals differ from their entries; absent until they were compared',
  vtt_sums_check_age_seconds: 'Time since totals were compared with entries',
  vtt_time_entries: 'Time entries at all schools',
  vtt_hours_logged: 'Hours at all schools',
} as const;
const BY_QUEUE = { vtt_queue_length: 'Waiting items by queue' } as const;
const BY_JOB = {
  vtt_job_last_run_timestamp_seconds: 'When a job last ran',
  vtt_job_duration_seconds: 'Duration of its last run',
  vtt_job_failed: '1 if its last run failed',
} as const;

type Gauges = Readonly<{
  set: (name: keyof typeof OF_PROCESS | keyof typeof HELP, value: number | undefined) => void;
  setOf: (name: keyof typeof BY_QUEUE | keyof typeof BY_JOB, of: string, value: number) => void;
  forgetJobs: () => void;
}>;

function createGauges(registry: Registry): Gauges {
  const plain = new Map<string, Gauge>();
  for (const [name, help] of Object.entries({ ...OF_PROCESS, ...HELP })) {
    plain.set(name, new Gauge({ name, help, registers: [registry] }));
  }
  const labelled = new Map<string, Gauge<string>>();
  for (const [label, names] of [
    ['queue', BY_QUEUE],
    ['job', BY_JOB],
  ] as const) {
    for (const [name, help] of Object.entries(names)) {
      labelled.set(name, new Gauge({ name, help, labelNames: [label], registers: [registry] }));
    }
  }
  return {
    set: (name, value) => {
      const gauge = plain.get(name);
      // A gauge without labels shows 0 until it is removed.
      if (value === undefined) gauge?.remove();
      else gauge?.set(value);
    },
    setOf: (name, of, value) => labelled.get(name)?.set({ [name in BY_QUEUE ? 'queue' : 'job']: of }, value),
    forgetJobs: () => {
      for (const name of Object.keys(BY_JOB)) labelled.get(name)?.reset();
    },
  };
}

function fillProcess(gauges: Gauges, deps: Deps, loop: ReturnType<typeof monitorEventLoopDelay>): void {
  const memory = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const { total, idle, waiting } = deps.database.connections();
  gauges.set('vtt_up_seconds', process.uptime());
  gauges.set('vtt_cpu_seconds_total', (user + system) / 1e6);
  gauges.set('vtt_memory_resident_bytes', memory.rss);
  gauges.set('vtt_memory_heap_used_bytes', memory.heapUsed);
  gauges.set('vtt_event_loop_lag_seconds', loop.percentile(99) / NANO);
  gauges.set('vtt_event_loop_lag_max_seconds', loop.max / NANO);
  loop.reset();
  gauges.set('vtt_database_connections', total);
  gauges.set('vtt_database_connections_idle', idle);
  gauges.set('vtt_database_waiting', waiting);
}

// While the database fails, the metrics of the process are still returned, because operators need them most then.
async function fillFromDatabase(gauges: Gauges, deps: Deps): Promise<void> {
  const disk = await diskSpace(deps.config.dataDir);
  gauges.set('vtt_storage_free_bytes', disk?.free);
  gauges.set('vtt_storage_total_bytes', disk?.total);
  const found = await readMonitoredValues(withConnectionPool(deps, 'jobs')).catch((error: unknown) => {
    deps.log.warn({ err: error }, 'metrics do not include the database');
    return undefined;
  });
  gauges.set('vtt_database_up', found === undefined ? 0 : 1);
  fillMonitored(gauges, found);
}

function fillMonitored(gauges: Gauges, found: MonitoredValues | undefined): void {
  gauges.set('vtt_queue_oldest_mail_seconds', found && (found.oldestMailAge ?? 0));
  gauges.set('vtt_backup_age_seconds', found?.backup.age);
  gauges.set('vtt_backup_failing', found && Number(found.backup.isFailing));
  gauges.set('vtt_log_copy_failing', found && Number(found.logCopy.isFailing));
  gauges.set('vtt_sums_wrong_schools', found?.sums?.differing);
  gauges.set('vtt_sums_check_age_seconds', found?.sums?.age);
  gauges.set('vtt_time_entries', found?.entries);
  gauges.set('vtt_hours_logged', found?.hours);
  gauges.forgetJobs();
  if (found === undefined) return;
  for (const [queue, length] of Object.entries(found.queues)) gauges.setOf('vtt_queue_length', queue, length);
  for (const { name, lastRun, seconds, hasFailed } of found.jobs) {
    gauges.setOf('vtt_job_last_run_timestamp_seconds', name, lastRun);
    gauges.setOf('vtt_job_duration_seconds', name, seconds);
    gauges.setOf('vtt_job_failed', name, Number(hasFailed));
  }
}
