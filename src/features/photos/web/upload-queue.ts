import { UPLOAD } from '../contract.ts';

/** The number of files that are sent at the same time. */
export const PARALLEL_UPLOADS = 3;

/**
 * A file in the upload list: `chosen` until Upload is pressed, `waiting` for its turn, `sending` with its progress,
 * then `done` or `failed`. A `rejected` file cannot be sent at all. Each file is sent in its own request, so one that
 * fails or is canceled does not stop the others.
 */
export type UploadRow<File> = Readonly<{
  key: number;
  file: File;
  state: 'chosen' | 'waiting' | 'sending' | 'done' | 'failed' | 'rejected';
  /** Progress, from 0 to 1. */
  sent: number;
  /** The reason for a failure, or the server's message. */
  message: string | undefined;
}>;

type Rows<File> = readonly UploadRow<File>[];

/** Whether `more` files may be added. At most five may be unfinished at a time. */
export function hasRoom(rows: Rows<unknown>, more: number): boolean {
  return rows.filter(({ state }) => state !== 'done').length + more <= UPLOAD.files;
}

/** Adds selected files and removes finished rows. `problem` returns what is wrong with a file, if anything. */
export function addFiles<File>(
  rows: Rows<File>,
  files: readonly File[],
  problem: (file: File) => string | undefined,
): UploadRow<File>[] {
  const last = Math.max(0, ...rows.map(({ key }) => key));
  return [
    ...rows.filter(({ state }) => state !== 'done'),
    ...files.map((file, at): UploadRow<File> => {
      const message = problem(file);
      return {
        key: last + at + 1,
        file,
        state: message === undefined ? 'chosen' : 'rejected',
        sent: 0,
        message,
      };
    }),
  ];
}

/** Queues every row that is chosen or has failed. */
export function queueAll<File>(rows: Rows<File>): UploadRow<File>[] {
  return rows.map((row) => (row.state === 'chosen' || row.state === 'failed' ? toWaiting(row) : row));
}

/** Queues a failed row again. */
export function queueRow<File>(rows: Rows<File>, key: number): UploadRow<File>[] {
  return rows.map((row) => (row.key === key && row.state === 'failed' ? toWaiting(row) : row));
}

/** Returns the rows to send next, in order. At most three are sent at the same time. */
export function nextToSend<File>(rows: Rows<File>): UploadRow<File>[] {
  const free = PARALLEL_UPLOADS - rows.filter(({ state }) => state === 'sending').length;
  return rows.filter(({ state }) => state === 'waiting').slice(0, Math.max(free, 0));
}

/** An event of a row. Events of a row that was canceled meanwhile are ignored. */
export type UploadEvent =
  | Readonly<{ state: 'sending'; sent: number }>
  | Readonly<{ state: 'done' | 'failed' | 'rejected'; message: string }>;

export function applyUploadEvent<File>(rows: Rows<File>, key: number, event: UploadEvent): UploadRow<File>[] {
  return rows.map((row) => {
    if (row.key !== key || (row.state !== 'sending' && row.state !== 'waiting')) return row;
    return { ...row, sent: 1, message: undefined, ...event };
  });
}

/** Removes a row that was canceled or is no longer wanted. */
export function removeRow<File>(rows: Rows<File>, key: number): UploadRow<File>[] {
  return rows.filter((row) => row.key !== key);
}

/** Whether any file is waiting or being sent. */
export function isBusy(rows: Rows<unknown>): boolean {
  return rows.some(({ state }) => state === 'waiting' || state === 'sending');
}

function toWaiting<File>(row: UploadRow<File>): UploadRow<File> {
  return { ...row, state: 'waiting', sent: 0, message: undefined };
}
