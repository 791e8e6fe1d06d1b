import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { baseMessages } from '#shared/common-messages.ts';
import { refuse } from '#shared/errors.ts';
import type { Row, Table } from '../export/export-table.ts';
import type { Acting } from '../http/viewer.ts';
import { listened } from '../process/error-listener.ts';
import { ProcessPool } from '../process/process-pool.ts';
import type { PdfLetters } from './certificate.ts';
import type { PdfContent } from './document.ts';
import { openReportQueue } from './report-queue.ts';
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
export type Reports = Readonly<{
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
  /** Ends the processes; their reports are refused with 503. */
  close: () => void;
}>;

type Answer = Readonly<{ bytes: Uint8Array } | { fault: string }>;

/** How long one file may take, how long it may go on when nobody waits for it any more, and a process without one. */
const LIMITS = { milliseconds: 30_000, goneMs: 500, idleMs: 60_000 } as const;
type Limits = { readonly [Name in keyof typeof LIMITS]: number };

// They are not rendered and cost little but their reading, which takes turns.
const STREAM_LINE = { atOnce: 20, waiting: 60, waitingOfOne: 2, waitMs: 30_000 } as const;
const STREAM_MS = 600_000;

const RETRY_AFTER_SECONDS = 5;
const MEBIBYTES = 512;
const NICENESS = 10;
const SCRIPT = new URL('./report-worker-process.ts', import.meta.url);

/** Starts the rendering processes with the first reports. */
export function openReportWorkers(limits: Limits = LIMITS, script: URL = SCRIPT): Reports {
  const inTurn = openReportQueue();
  const inStreams = openReportQueue(STREAM_LINE);
  const { render, close } = openRenderers(limits, script);
  return {
    make: ({ viewer, gone }, work) =>
      inTurn(viewer.userId, gone, () => work((content) => render(content, gone))),
    stream: ({ viewer, gone }, open) =>
      new Promise((resolve, reject) => {
        inStreams(viewer.userId, gone, async () => {
          const content = listened(await open());
          resolve(content);
          await overOf(content);
        }).catch(reject);
      }),
    close,
  };
}

function openRenderers(limits: Limits, script: URL) {
  const execArgv = [`--max-old-space-size=${MEBIBYTES}`];
  const how = { execArgv, serialization: 'advanced', niceness: NICENESS, idleMs: limits.idleMs } as const;
  const pool = new ProcessPool(script, how);

  const render = async (content: ReportContent, gone: AbortSignal): Promise<Buffer> => {
    if (gone.aborted) throw leftAlone();
    const child = pool.take();
    const answer = await answerOf(child, content, { ...limits, gone });
    pool.giveBack(child);
    if (gone.aborted) throw leftAlone();
    if ('fault' in answer) throw new Error(`a report could not be made: ${answer.fault}`);
    return Buffer.from(answer.bytes.buffer, answer.bytes.byteOffset, answer.bytes.byteLength);
  };

  return { render, close: () => void pool.close() };
}

async function overOf(content: Readable): Promise<void> {
  const timer = setTimeout(() => content.destroy(), STREAM_MS).unref();
  await new Promise((resolve) => content.once('close', resolve));
  clearTimeout(timer);
}

/** The answer of a process to one report. Throws 503 when it ends without one, also since it was ended for its time. */
function answerOf(
  child: ChildProcess,
  content: ReportContent,
  { milliseconds, goneMs, gone }: Limits & { gone: AbortSignal },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let reason = baseMessages.unavailable;
    const endLate = () => {
      reason = baseMessages.tooSlow;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(endLate, milliseconds);
    let leaving: NodeJS.Timeout | undefined;
    const onGone = () => {
      leaving = setTimeout(endLate, goneMs);
    };
    const settled = () => {
      clearTimeout(timer);
      clearTimeout(leaving);
      gone.removeEventListener('abort', onGone);
      child.off('message', onAnswer).off('exit', onEnd).off('error', onEnd);
    };
    const onAnswer = (answer: Answer) => {
      settled();
      resolve(answer);
    };
    const onEnd = () => {
      settled();
      child.kill('SIGKILL');
      reject(refuse.unavailable(reason, RETRY_AFTER_SECONDS));
    };
    gone.addEventListener('abort', onGone);
    child.on('message', onAnswer).once('exit', onEnd).once('error', onEnd);
    // It may have ended before anybody listened.
    child.send(content, (error) => {
      if (error !== null) onEnd();
    });
  });
}

// For nobody's eyes.
function leftAlone() {
  return refuse.busy(baseMessages.reportsBusy, RETRY_AFTER_SECONDS);
}
