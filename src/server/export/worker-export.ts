import { on } from 'node:events';
import { Readable } from 'node:stream';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { withErrorListener } from '../process/error-listener.ts';
import type { Piece } from './export-table.ts';

/** A file created by a worker thread, so that the main thread stays free for requests. */
export type WorkerExport = Readonly<{
  /** The total number of rows. */
  total: number;
  content: Readable;
  /** The number of rows sent so far. */
  rows: () => number;
}>;

type FromWorker = { total: number } | Piece | 'end';
type ToWorker = 'more' | 'stop';

// The smallest chunk that is worth a message.
const PIECE_BYTES = 65_536;
const STOP_AFTER_MS = 5_000;
// The time limit for reporting the total.
const START_WITHIN_MS = 60_000;
const RETRY_AFTER_SECONDS = 10;
// A page of rows and its output take a few MB; the limits keep garbage from piling up.
const WORKER_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 };

// Long because it handles every way in which the worker can end.
/**
 * Starts a worker script that calls `sendPieces` with the given job, and waits until it reports the total. Chunks are created
 * when the client reads them; destroying the stream stops the thread. Rejects with the thread's error, with `ERR_WORKER_…` if
 * no thread can start, and with 503 if it exits without an error or reports no total in time.
 */
export async function startExportWorker<Job>(
  script: URL,
  job: Job,
  startWithinMs: number = START_WITHIN_MS,
): Promise<WorkerExport> {
  const worker = withErrorListener(new Worker(script, { workerData: job, resourceLimits: WORKER_LIMITS }));
  const say = (message: ToWorker) => worker.postMessage(message);
  let rows = 0;
  let [isAll, isOver] = [false, false];
  // The stream may fail while the caller still waits for `total`.
  const content = withErrorListener(
    new Readable({
      highWaterMark: PIECE_BYTES,
      read: () => say('more'),
      destroy(error, done) {
        if (isAll || isOver) return done(error);
        say('stop');
        // The worker handles the message between two chunks.
        const impatient = setTimeout(() => void worker.terminate(), STOP_AFTER_MS);
        worker.once('exit', () => {
          clearTimeout(impatient);
          done(error);
        });
      },
    }),
  );
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => void worker.terminate(), startWithinMs);
    worker.once('exit', () => clearTimeout(late));
    worker.on('message', (message: FromWorker) => {
      if (message === 'end') {
        isAll = true;
        content.push(null);
      } else if ('total' in message) {
        clearTimeout(late);
        resolve({ total: message.total, content, rows: () => rows });
      } else {
        rows = message.rows;
        content.push(message.bytes);
      }
    });
    const fail = (error: Error) => {
      isOver = true;
      reject(error);
      content.destroy(error);
    };
    worker.once('error', fail);
    worker.once('exit', () => {
      isOver = true;
      if (!isAll && !content.destroyed)
        fail(errors.unavailable(commonMessages.unavailable, RETRY_AFTER_SECONDS));
    });
  });
}

/** This worker thread's job. */
export function readJob<Job>(): Job {
  return workerData;
}

/** Sends each chunk on request, and ends after the last one or on 'stop'. */
export async function sendPieces(total: number, pieces: AsyncIterable<Piece>): Promise<void> {
  if (parentPort === null) throw new Error('must run in a worker thread');
  const port = parentPort;
  const source = pieces[Symbol.asyncIterator]();
  const asked = on(port, 'message');
  port.postMessage({ total } satisfies FromWorker);
  for await (const [message] of asked as AsyncIterable<[ToWorker]>) {
    if (message === 'stop') break;
    const piece = await copyPieces(source);
    if (piece === undefined) {
      port.postMessage('end' satisfies FromWorker);
      break;
    }
    port.postMessage(piece satisfies FromWorker, [piece.bytes.buffer]);
  }
  await source.return?.();
}

// Copied into a separate buffer, which can be transferred.
async function copyPieces(
  source: AsyncIterator<Piece>,
): Promise<(Piece & { bytes: Uint8Array<ArrayBuffer> }) | undefined> {
  const parts: Uint8Array[] = [];
  let [size, rows] = [0, 0];
  while (size < PIECE_BYTES) {
    const { done, value } = await source.next();
    if (done === true) break;
    parts.push(value.bytes);
    size += value.bytes.length;
    rows = value.rows;
  }
  if (size === 0) return undefined;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return { bytes, rows };
}
