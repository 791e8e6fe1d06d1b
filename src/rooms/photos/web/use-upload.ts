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
export function useUpload({ activityId, schoolId, onArrived, onConsentMissing }: UseUpload) {
  const { say } = useText();
  const [rows, setRows] = useState<readonly UploadRow<File>[]>([]);
  const [refusal, setRefusal] = useState<string>();
  const current = useRef(rows);
  const running = useRef(new Map<number, AbortController>());
  const details = useRef<Details>({ caption: '', containsStudents: false, consent: false });
  useEffect(() => {
    const travelling = running.current;
    return () => {
      for (const controller of travelling.values()) controller.abort();
    };
  }, []);

  // News arrive from outside of React, several between two pictures: the latest rows are kept here.
  function become(next: readonly UploadRow<File>[]) {
    current.current = next;
    for (const row of nextToSend(next)) {
      current.current = tell(current.current, row.key, { state: 'sending', sent: 0 });
      void send(row);
    }
    setRows(current.current);
  }

  async function send({ key, file }: UploadRow<File>) {
    const controller = new AbortController();
    running.current.set(key, controller);
    const { signal } = controller;
    try {
      const picture = await shrunk(file);
      signal.throwIfAborted();
      const { photos, message } = await upload(uploadPhotos, {
        params: { id: activityId },
        fields: fieldsOf(details.current, schoolId),
        file: picture,
        name: file.name,
        onProgress: (sent) => become(tell(current.current, key, { state: 'sending', sent })),
        signal,
      });
      onArrived(photos, message);
      become(tell(current.current, key, { state: 'done', said: message }));
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof CallError && error.fields['consent'] !== undefined) onConsentMissing();
      become(tell(current.current, key, failureOf(error)));
    } finally {
      running.current.delete(key);
    }
  }

  return {
    rows,
    /** Why the files chosen last were not taken. */
    refusal,
    isBusy: isBusy(rows),
    add(files: readonly File[]) {
      const isTooMany = !hasRoom(current.current, files.length);
      setRefusal(isTooMany ? say(messages.tooMany) : undefined);
      if (isTooMany) return;
      become(
        choose(current.current, files, (file) => {
          const problem = fileProblem(file);
          return problem === undefined ? undefined : say(problem);
        }),
      );
    },
    start(given: Details) {
      details.current = given;
      become(start(current.current));
    },
    retry(key: number, given: Details) {
      details.current = given;
      become(retry(current.current, key));
    },
    /** Takes a file out, on its way or not. */
    remove(key: number) {
      running.current.get(key)?.abort();
      setRefusal(undefined);
      become(remove(current.current, key));
    },
    clearDone: () => become(current.current.filter(({ state }) => state !== 'done')),
  };
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
