import { execFile } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Instant, instantOf, millisecondsOf } from '#shared/calendar-date.ts';
import { errorCode } from '#shared/errors.ts';
import { BackupError } from './manifest.ts';

/** How far back a restore can go: https://litestream.io/reference/config/ */
const RETENTION = '168h';
const SNAPSHOT_EVERY = '24h';
const COPY_EVERY = '1s';
const OUTPUT_BYTES = 16 * 1_048_576;
const PACKAGE = `@flydotio/litestream-${process.platform}-${process.arch}`;
const SECOND_MS = 1_000;
const BEHIND_THE_END = 'no matching backups found';
const WHOLE_SECOND = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;
const ROOT = join(import.meta.dirname, '../../..');

/** A SQLite file and its replication target. */
export type LogTarget = Readonly<{ file: string; to: string }>;

/** Path of Litestream: the one installed with the product, else the system's. */
export function litestreamProgram(): string {
  const own = join(ROOT, 'node_modules', PACKAGE, 'litestream');
  return existsSync(own) ? own : 'litestream';
}

/**
 * The Litestream configuration for replicating a SQLite file's log to a folder or a bucket
 * (`s3://key:secret@bucket/prefix?endpoint=`), as JSON, which is valid YAML. It contains no bucket key.
 */
export function litestreamConfiguration({ file, to }: LogTarget): string {
  const replica = { ...replicaTarget(to), 'sync-interval': COPY_EVERY, 'snapshot-interval': SNAPSHOT_EVERY };
  return `${JSON.stringify({
    logging: { level: 'info', type: 'json', stderr: true },
    dbs: [{ path: file, replicas: [{ ...replica, retention: RETENTION }] }],
  })}\n`;
}

function replicaTarget(to: string): object {
  if (!to.startsWith('s3:')) return { type: 'file', path: resolve(to) };
  const { hostname, pathname, searchParams } = new URL(to);
  const endpoint = searchParams.get('endpoint');
  return {
    type: 's3',
    bucket: hostname,
    path: decodeURIComponent(pathname).replace(/^\/+|\/+$/g, ''),
    region: searchParams.get('region') ?? 'us-east-1',
    ...(endpoint === null ? {} : { endpoint, 'force-path-style': true }),
  };
}

/** Litestream's environment. The bucket key is the only setting in it. */
export function litestreamEnvironment(
  to: string,
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const { PATH, HOME, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = environment;
  if (!to.startsWith('s3:')) return { PATH, HOME };
  const { username, password } = new URL(to);
  if (username === '') return { PATH, HOME, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY };
  return {
    PATH,
    HOME,
    LITESTREAM_ACCESS_KEY_ID: decodeURIComponent(username),
    LITESTREAM_SECRET_ACCESS_KEY: decodeURIComponent(password),
  };
}

type Generation = Readonly<{ name: string; from: number; to: number }>;

/** A restore from a replicated log, up to a moment or to the end of the log. */
export type LogRestore = Readonly<{
  configuration: string;
  environment: Readonly<Record<string, string | undefined>>;
  file: string;
  at: Instant | undefined;
  into: string;
}>;

/**
 * Restores the database to a point in time (1 s precision). Returns the restored moment: `at`, or the end of the last
 * replicated second if that is earlier. Throws `BackupError` when the replica does not reach back that far or cannot be read.
 */
export async function restoreFromLog(given: LogRestore): Promise<Instant> {
  const until = given.at === undefined ? Number.POSITIVE_INFINITY : millisecondsOf(given.at);
  // Litestream reads the file's modification time even when it only restores.
  closeSync(openSync(given.file, 'a', 0o600));
  const found = (await generationsOf(given)).findLast(({ from }) => from <= until);
  if (found === undefined) {
    throw new BackupError(
      given.at === undefined
        ? '--log: nothing was copied there'
        : `--log: the copy does not reach back to ${given.at}`,
    );
  }
  const whole = ['restore', ...configurationArguments(given), '-generation', found.name, '-o', given.into];
  // The list has whole seconds, so a moment within the last one may be before or after the end.
  if (until < found.to + SECOND_MS) {
    try {
      await runLitestream(given, [...whole, '-timestamp', instantOf(until), given.file]);
      return instantOf(until);
    } catch (error) {
      if (!(error instanceof BackupError && error.message.includes(BEHIND_THE_END))) throw error;
    }
  }
  // Nothing was written between two generations, so the state is the end of the earlier one.
  await runLitestream(given, [...whole, given.file]);
  return instantOf(found.to + SECOND_MS - 1);
}

async function generationsOf(given: LogRestore): Promise<Generation[]> {
  const [, ...lines] = (
    await runLitestream(given, ['generations', ...configurationArguments(given), given.file])
  )
    .trim()
    .split('\n');
  const found: Generation[] = [];
  for (const line of lines) {
    const [, name, , from, to] = line.trim().split(/\s+/);
    if (name === undefined || !WHOLE_SECOND.test(from ?? '') || !WHOLE_SECOND.test(to ?? '')) continue;
    found.push({ name, from: secondOf(from) + SECOND_MS, to: secondOf(to) });
  }
  return found.toSorted((a, b) => a.from - b.from);
}

function secondOf(text = ''): number {
  return millisecondsOf(text.replace('Z', '.000Z') as Instant);
}

function configurationArguments({ configuration }: LogRestore): string[] {
  return ['-config', configuration];
}

async function runLitestream({ environment }: LogRestore, args: string[]): Promise<string> {
  try {
    const options = { env: { ...environment }, maxBuffer: OUTPUT_BYTES };
    return (await promisify(execFile)(litestreamProgram(), args, options)).stdout;
  } catch (error) {
    throw new BackupError(`--log: ${failureReason(error)}`);
  }
}

function failureReason(error: unknown): string {
  if (errorCode(error) === 'ENOENT') return MISSING;
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const last = output.trim().split('\n').at(-1) ?? '';
  return last === '' ? 'Litestream could not read it' : (litestreamErrorIn(last) ?? last);
}

/** The advice when Litestream is not installed. */
export const MISSING = 'Litestream was not found. Install Litestream 0.3.13 (https://litestream.io/install/)';

/** The error in a line of Litestream's output; undefined for a line without one. */
export function litestreamErrorIn(line: string): string | undefined {
  const read = parseLine(line);
  if (read?.level !== 'ERROR') return undefined;
  return [read.msg, read.error].filter((part) => part !== undefined && part !== '').join(': ');
}

/** Whether a line of Litestream's output reports replicated data. */
export function reportsReplication(line: string): boolean {
  return COPIED.includes(parseLine(line)?.msg ?? '');
}

const COPIED: readonly string[] = ['wal segment written', 'snapshot written'];

function parseLine(line: string): { level?: string; msg?: string; error?: string } | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return typeof read === 'object' && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}
