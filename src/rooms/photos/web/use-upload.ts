import { useEffect, useRef, useState } from 'react';
import type { Id } from '#base/id.ts';
import { CallError, failureText } from '#web/lib/call.ts';
import { useText } from '#web/lib/text.ts';
import { upload } from '#web/lib/upload.ts';
import { messages, type Photo, uploadPhotos } from '../contract.ts';
import { fileProblem } from './check-file.ts';
import { shrunk } from './shrink.ts';
import {
  choose,
  hasRoom,
  isBusy,
  type News,
  nextToSend,
  remove,
  retry,
  start,
  tell,
  type UploadRow,
} from './upload-queue.ts';

/** What is said of all the files of an upload. */
export type Details = Readonly<{ caption: string; containsStudents: boolean; consent: boolean }>;

type UseUpload = Readonly<{
  activityId: Id;
  schoolId: Id;
  /** A file has arrived; `message` is what the server said of it. */
  onArrived: (photos: readonly Photo[], message: string) => void;
  /** The server asks for a consent that was not given: it is asked for since the form was opened. */
  onConsentMissing: () => void;
}>;

/** The files on their way to an activity: each by itself, three at a time. Leaving the screen calls them off. */
export function useUpload({ onEnd, ...upload }: UseUpload & UploadEnd) {
  const { say } = useText();
  const [refusal, setRefusal] = useState<string>();
  const { rows, latest, show, cancel, details } = useTravelling(upload, onEnd);
  return {
    rows,
    /** Why the files chosen last were not taken. */
    refusal,
    isBusy: isBusy(rows),
    add(files: readonly File[]) {
      const isTooMany = !hasRoom(latest.current, files.length);
      setRefusal(isTooMany ? say(messages.tooMany) : undefined);
      if (isTooMany) return;
      show(
        choose(latest.current, files, (file) => {
          const problem = fileProblem(file);
          return problem === undefined ? undefined : say(problem);
        }),
      );
    },
    start(given: Details) {
      details.current = given;
      show(start(latest.current));
    },
    retry(key: number, given: Details) {
      details.current = given;
      show(retry(latest.current, key));
    },
    /** Takes a file out, on its way or not. */
    remove(key: number) {
      cancel(key);
      setRefusal(undefined);
      show(remove(latest.current, key));
    },
  };
}

type UploadEnd = Readonly<{
  /** Nothing is on its way any more; `areLeft` says whether files still stand there, to be sent or taken out. */
  onEnd: (areLeft: boolean) => void;
}>;

// The rows, and the requests behind those that are on their way.
function useTravelling(options: UseUpload, onEnd: UploadEnd['onEnd']) {
  const [rows, setRows] = useState<readonly UploadRow<File>[]>([]);
  // Progress comes from outside of React, several times between two pictures: the latest rows are kept here.
  const latest = useRef(rows);
  const running = useRunning();
  const details = useRef<Details>({ caption: '', containsStudents: false, consent: false });

  function show(next: readonly UploadRow<File>[]) {
    const wasBusy = isBusy(latest.current);
    latest.current = next;
    for (const row of nextToSend(next)) {
      latest.current = tell(latest.current, row.key, { state: 'sending', sent: 0 });
      void send(row);
    }
    if (wasBusy && !isBusy(latest.current)) {
      latest.current = latest.current.filter(({ state }) => state !== 'done');
      onEnd(latest.current.length > 0);
    }
    setRows(latest.current);
  }

  async function send({ key, file }: UploadRow<File>) {
    const controller = new AbortController();
    running.current.set(key, controller);
    const news = await sendFile(file, {
      ...options,
      details: details.current,
      signal: controller.signal,
      onProgress: (sent) => show(tell(latest.current, key, { state: 'sending', sent })),
    });
    running.current.delete(key);
    if (news !== undefined) show(tell(latest.current, key, news));
  }

  return { rows, latest, show, details, cancel: (key: number) => running.current.get(key)?.abort() };
}

// The requests that are under way, by the row of their file; leaving the screen calls them off.
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

type Sending = UseUpload &
  Readonly<{ details: Details; signal: AbortSignal; onProgress: (sent: number) => void }>;

// Sends one file and says how that went; nothing when it was called off.
async function sendFile(file: File, sending: Sending): Promise<News | undefined> {
  const { activityId, schoolId, details, signal, onProgress, onArrived, onConsentMissing } = sending;
  try {
    const picture = await shrunk(file);
    signal.throwIfAborted();
    const { photos, message } = await upload(uploadPhotos, {
      params: { id: activityId },
      fields: fieldsOf(details, schoolId),
      file: picture,
      name: file.name,
      onProgress,
      signal,
    });
    onArrived(photos, message);
    return { state: 'done', said: message };
  } catch (error) {
    if (signal.aborted) return undefined;
    if (error instanceof CallError && error.fields['consent'] !== undefined) onConsentMissing();
    return failureOf(error);
  }
}

function fieldsOf({ caption, containsStudents, consent }: Details, schoolId: Id) {
  return {
    caption: caption.trim() === '' ? undefined : caption,
    schoolId: String(schoolId),
    containsStudents: containsStudents ? 'true' : undefined,
    consent: consent ? 'true' : undefined,
  };
}

// What the file itself is refused for, it would be refused for again.
function failureOf(error: unknown) {
  const named = error instanceof CallError ? error.fields['photos'] : undefined;
  const isFinal = error instanceof CallError && [400, 413, 415].includes(error.status) && named !== undefined;
  return { state: isFinal ? 'refused' : 'failed', said: named ?? failureText(error) } as const;
}
