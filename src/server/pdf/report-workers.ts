import { availableParallelism } from 'node:os';
import type { Readable } from 'node:stream';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import type { Row, Table } from '../export/export-table.ts';
import type { Acting } from '../http/viewer.ts';
import { withErrorListener } from '../process/error-listener.ts';
import { openLimit } from '../process/limit.ts';
import { openWorkPool, WorkEnded, type WorkPool } from '../process/worker-pool.ts';
import type { PdfLetters } from './certificate.ts';
import type { PdfContent } from './document.ts';
import type { PdfSignInSheet } from './sign-in-sheet.ts';

/** The content of a report, as plain data. */
export type ReportContent =
  | Readonly<{ kind: 'pdf'; document: PdfContent }>
  | Readonly<{ kind: 'letters'; letters: PdfLetters }>
  | Readonly<{ kind: 'sign-in-sheet'; sheet: PdfSignInSheet }>
  | Readonly<{ kind: 'csv' | 'xlsx'; table: Table; rows: readonly Row[] }>;

/** The user who requests a report; `gone` aborts when they stop waiting. */
export type ReportRequester = Acting & Readonly<{ gone: AbortSignal }>;

/** Renders a report's file in a worker process. */
export type Render = (content: ReportContent) => Promise<Buffer>;

/** Renders reports and streams large replies, with concurrency limits. */
export type ReportWorkers = Readonly<{
  /**
   * Runs `work`, which reads, renders and records a report, once this user has a slot. Throws 429 if too many reports wait, and
   * 503 if the render process takes too long, dies or does not start. Must not run in a transaction.
   */
  make: <Result>(reader: ReportRequester, work: (render: Render) => Promise<Result>) => Promise<Result>;
  /**
   * Opens a stream once this user has a slot, which stays occupied until the stream ends, the client disconnects, or ten
   * minutes have passed, which end the stream. Throws 429 if too many wait. The reader must yield to the event loop between
   * chunks.
   */
  stream: (reader: ReportRequester, open: () => Promise<Readable>) => Promise<Readable>;
}>;

/** Each user gets one report at a time. Two more may wait, because users who want both CSV and Excel click both. */
const ONE_EACH = { atOnceEach: 1, waitingEach: 2, waiting: 60, waitMs: 30_000 } as const;
// Leave one CPU core to requests.
const REPORTS = { atOnce: Math.max(1, Math.min(2, availableParallelism() - 1)), ...ONE_EACH } as const;
// Streams are not rendered, and reading them yields to other requests.
const STREAMS = { atOnce: 20, ...ONE_EACH } as const;
const STREAM_MS = 600_000;
const RENDER_MS = 30_000;

const RETRY_AFTER_SECONDS = 5;
const MODULE = new URL('./report-work.ts', import.meta.url);

/** Renders in the processes of a worker pool. */
export function openReportWorkers(
  pool: WorkPool = openWorkPool(),
  milliseconds: number = RENDER_MS,
  module: URL = MODULE,
): ReportWorkers {
  const reports = openLimit(REPORTS, tooMany);
  const streams = openLimit(STREAMS, tooMany);
  const render = async (content: ReportContent, gone: AbortSignal): Promise<Buffer> => {
    if (gone.aborted) throw tooMany(false);
    const rendered = pool.run<Uint8Array>({ module, given: content }, { milliseconds, gone });
    const bytes = await rendered.catch((error: unknown) => {
      throw error instanceof WorkEnded ? inWords(error) : error;
    });
    if (gone.aborted) throw tooMany(false);
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  };
  return {
    make: ({ viewer, gone }, work) =>
      reports.run(String(viewer.userId), () => work((content) => render(content, gone)), gone),
    stream: ({ viewer, gone }, open) =>
      new Promise((resolve, reject) => {
        const whole = async () => {
          const content = withErrorListener(await open());
          resolve(content);
          await overOf(content);
        };
        streams.run(String(viewer.userId), whole, gone).catch(reject);
      }),
  };
}

async function overOf(content: Readable): Promise<void> {
  const timer = setTimeout(() => content.destroy(), STREAM_MS).unref();
  await new Promise((resolve) => content.once('close', resolve));
  clearTimeout(timer);
}

function inWords({ why }: WorkEnded) {
  const isSlow = why === 'slow' || why === 'gone';
  return errors.unavailable(
    isSlow ? commonMessages.tooSlow : commonMessages.unavailable,
    RETRY_AFTER_SECONDS,
  );
}

function tooMany(isOwn: boolean) {
  return errors.tooManyTries(
    isOwn ? commonMessages.reportsOfYours : commonMessages.reportsBusy,
    RETRY_AFTER_SECONDS,
  );
}
