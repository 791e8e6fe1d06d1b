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

/** What a report says, as plain data. */
export type ReportContent =
  | Readonly<{ kind: 'pdf'; document: PdfContent }>
  | Readonly<{ kind: 'letters'; letters: PdfLetters }>
  | Readonly<{ kind: 'sign-in-sheet'; sheet: PdfSignInSheet }>
  | Readonly<{ kind: 'csv' | 'xlsx'; table: Table; rows: readonly Row[] }>;

/** Who asks for a report; `gone` aborts when they do not wait for it any more. */
export type Reader = Acting & Readonly<{ gone: AbortSignal }>;

/** Makes the file of a report, away from the main thread. */
export type Render = (content: ReportContent) => Promise<Buffer>;

/** Reports that are made whole before they are sent. */
export type ReportWorkers = Readonly<{
  /**
   * Runs `work`, which reads, renders and records a report, when it is this reader's turn. Throws 429 when too many
   * wait, and 503 when the process that renders takes too long, dies or does not start. Not within a transaction.
   */
  make: <Result>(reader: Reader, work: (render: Render) => Promise<Result>) => Promise<Result>;
  /**
   * Opens what is sent piece by piece when it is this reader's turn, which lasts until all of it is sent or they are
   * gone. Throws 429 when too many wait. Whoever reads the pieces leaves the loop to requests between two of them.
   */
  stream: (reader: Reader, open: () => Promise<Readable>) => Promise<Readable>;
}>;

/** A person's reports are made one at a time; two more wait, since who wants CSV and Excel presses both. */
const ONE_EACH = { atOnceEach: 1, waitingEach: 2, waiting: 60, waitMs: 30_000 } as const;
// A processor is left to requests.
const REPORTS = { atOnce: Math.max(1, Math.min(2, availableParallelism() - 1)), ...ONE_EACH } as const;
// They are not rendered and cost little but their reading, which takes turns.
const STREAMS = { atOnce: 20, ...ONE_EACH } as const;
const STREAM_MS = 600_000;
const RENDER_MS = 30_000;

const RETRY_AFTER_SECONDS = 5;
const MODULE = new URL('./report-work.ts', import.meta.url);

/** Renders in the processes of a pool. */
export function openReportWorkers(
  pool: WorkPool = openWorkPool(),
  milliseconds: number = RENDER_MS,
  module: URL = MODULE,
): ReportWorkers {
  const reports = openLimit(REPORTS, tooMany);
  const streams = openLimit(STREAMS, tooMany);
  const render = async (content: ReportContent, gone: AbortSignal): Promise<Buffer> => {
    if (gone.aborted) throw tooMany(false);
    const asked = pool.ask<Uint8Array>({ module, given: content }, { milliseconds, gone });
    const bytes = await asked.catch((error: unknown) => {
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
