import { useEffect, useRef, useState } from 'react';
import type { Id } from '#shared/id.ts';
import { CallError, failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { messages, type Photo } from '../contract.ts';
import { uploadOrQueue } from './offline-photos.ts';
import { fileProblem, shrinkImage } from './photo-file.ts';
import {
  addFiles,
  applyUploadEvent,
  hasRoom,
  isBusy,
  nextToSend,
  queueAll,
  queueRow,
  removeRow,
  type UploadEvent,
  type UploadRow,
} from './upload-queue.ts';

/** Details that apply to all files of an upload. */
export type UploadDetails = Readonly<{ caption: string; containsStudents: boolean; consent: boolean }>;

type UseUpload = Readonly<{
  activityId: Id;
  schoolId: Id;
  /** Called when a file has been uploaded; `added` is the number of new photos. */
  onArrived: (photos: readonly Photo[], added: number) => void;
  /** Called when a file is queued on this device until it is online. */
  onQueued: () => void;
  /**
   * Called if the server requires a consent that the user did not give, because the district turned it on after the form was
   * opened.
   */
  onConsentMissing: () => void;
  /** Called when no file is being sent anymore; `areLeft` is whether the list still has files to retry or remove. */
  onEnd: (areLeft: boolean) => void;
}>;

/** Uploads files to an activity, each in its own request, three at a time. Leaving the screen cancels them. */
export function useUpload(options: UseUpload) {
  const { say } = useTranslation();
  const [rejection, setRejection] = useState<string>();
  const { rows, latest, showRows, cancel, details } = useUploadRows(options);
  return {
    rows,
    /** The reason why the last selected files were not added. */
    rejection,
    isBusy: isBusy(rows),
    add(files: readonly File[]) {
      const isTooMany = !hasRoom(latest.current, files.length);
      setRejection(isTooMany ? say(messages.tooMany) : undefined);
      if (isTooMany) return;
      showRows(
        addFiles(latest.current, files, (file) => {
          const problem = fileProblem(file);
          return problem === undefined ? undefined : say(problem);
        }),
      );
    },
    queueAll(values: UploadDetails) {
      details.current = values;
      showRows(queueAll(latest.current));
    },
    queueRow(key: number, values: UploadDetails) {
      details.current = values;
      showRows(queueRow(latest.current, key));
    },
    /** Removes a file, whether or not it is being sent. */
    removeRow(key: number) {
      cancel(key);
      setRejection(undefined);
      showRows(removeRow(latest.current, key));
    },
  };
}

// The rows, and the requests that are sending them.
function useUploadRows(options: UseUpload) {
  const [rows, setRows] = useState<readonly UploadRow<File>[]>([]);
  // Progress events occur outside of React, several between two renders, so a ref stores the latest rows.
  const latest = useRef(rows);
  const running = useRunning();
  const details = useRef<UploadDetails>({ caption: '', containsStudents: false, consent: false });

  function showRows(next: readonly UploadRow<File>[]) {
    const wasBusy = isBusy(latest.current);
    latest.current = next;
    for (const row of nextToSend(next)) {
      latest.current = applyUploadEvent(latest.current, row.key, { state: 'sending', sent: 0 });
      void send(row);
    }
    if (wasBusy && !isBusy(latest.current)) {
      latest.current = latest.current.filter(({ state }) => state !== 'done');
      options.onEnd(latest.current.length > 0);
    }
    setRows(latest.current);
  }

  async function send({ key, file }: UploadRow<File>) {
    const controller = new AbortController();
    running.current.set(key, controller);
    const event = await sendFile(file, {
      ...options,
      details: details.current,
      signal: controller.signal,
      onProgress: (sent) => showRows(applyUploadEvent(latest.current, key, { state: 'sending', sent })),
    });
    running.current.delete(key);
    if (event !== undefined) showRows(applyUploadEvent(latest.current, key, event));
  }

  const cancel = (key: number) => running.current.get(key)?.abort();
  return { rows, latest, showRows, details, cancel };
}

// The running requests by the key of their row. Leaving the screen cancels them.
function useRunning() {
  const running = useRef(new Map<number, AbortController>());
  useEffect(() => {
    const requests = running.current;
    return () => {
      for (const controller of requests.values()) controller.abort();
    };
  }, []);
  return running;
}

type UploadContext = UseUpload &
  Readonly<{ details: UploadDetails; signal: AbortSignal; onProgress: (sent: number) => void }>;

// Sends one file and returns the outcome, or undefined if it was canceled.
async function sendFile(file: File, context: UploadContext): Promise<UploadEvent | undefined> {
  const { activityId, schoolId, details, signal, onProgress, onArrived, onQueued, onConsentMissing } =
    context;
  try {
    const picture = await shrinkImage(file);
    signal.throwIfAborted();
    const photo = { activityId, name: file.name, fields: toFields(details, schoolId) };
    const reply = await uploadOrQueue(photo, picture, { onProgress, signal });
    if ('kept' in reply) {
      onQueued();
      return { state: 'done', message: reply.kept };
    }
    const { photos, added, message } = reply;
    onArrived(photos, added);
    return { state: 'done', message };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (error instanceof CallError && error.fields['consent'] !== undefined) onConsentMissing();
    return toFailureEvent(error);
  }
}

function toFields({ caption, containsStudents, consent }: UploadDetails, schoolId: Id) {
  return {
    caption: caption.trim() === '' ? undefined : caption,
    schoolId: String(schoolId),
    containsStudents: containsStudents ? 'true' : undefined,
    consent: consent ? 'true' : undefined,
  };
}

// A file that the server rejected for its content would be rejected again, so it cannot be retried.
function toFailureEvent(error: unknown) {
  const named = error instanceof CallError ? error.fields['photos'] : undefined;
  const isFinal = error instanceof CallError && [400, 413, 415].includes(error.status) && named !== undefined;
  return { state: isFinal ? 'rejected' : 'failed', message: named ?? failureText(error) } as const;
}
