import { Camera, FileImage, ImagePlus, RotateCw, X } from 'lucide-react';
import { type DragEvent, type FocusEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Id } from '#base/id.ts';
import { useText } from '#web/lib/text.ts';
import { useUnsaved } from '#web/lib/unsaved.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FileButton } from '#web/ui/file-button.tsx';
import { FieldError } from '#web/ui/labelled.tsx';
import { Progress } from '#web/ui/progress.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { LIMITS, messages, type Photo } from '../contract.ts';
import { usePhotoRules } from './api.ts';
import { ACCEPT } from './check-file.ts';
import { fileSize } from './photo-words.ts';
import type { UploadRow } from './upload-queue.ts';
import { type Details, useUpload } from './use-upload.ts';

type UploadFormProps = {
  activityId: Id;
  schoolId: Id;
  /** Photos that are there now: new ones, and those that were there before. */
  onArrived: (photos: readonly Photo[]) => void;
  /** All files have had their turn; says how it went. */
  onSaid: (message: string) => void;
};

/** Adds photos to an activity: picked, dropped, or taken with the phone right now. */
export function UploadForm({ activityId, schoolId, onArrived, onSaid }: UploadFormProps) {
  const { t, say } = useText();
  const rules = usePhotoRules();
  const arrived = useRef<{ message: string; isWaiting: boolean }[]>([]);
  const queue = useUpload({
    activityId,
    schoolId,
    onArrived: (photos, message) => {
      arrived.current.push({ message, isWaiting: photos.some(({ review }) => review === 'waiting') });
      onArrived(photos);
    },
    onConsentMissing: () => {
      setIsConsentMissing(true);
      void rules.refetch();
    },
  });
  const [caption, setCaption] = useState('');
  const [containsStudents, setContainsStudents] = useState(false);
  const [consent, setConsent] = useState(false);
  const [isConsentMissing, setIsConsentMissing] = useState(false);
  const consentId = useId();
  const consentBox = useRef<HTMLDivElement>(null);
  const { rows, isBusy } = queue;
  const toSend = rows.filter(({ state }) => state === 'chosen' || state === 'failed').length;
  const open = rows.filter(({ state }) => state !== 'done');
  useUnsaved(open.some(({ state }) => state !== 'refused'));
  const consentText = rules.data?.consentText ?? null;

  const { box, noteFocus, forgetFocus } = useKeptFocus();

  const wasBusy = useRef(false);
  useEffect(() => {
    const isOver = wasBusy.current && !isBusy;
    wasBusy.current = isBusy;
    if (!isOver) return;
    const message = summary(arrived.current, say);
    arrived.current = [];
    if (message !== undefined) onSaid(message);
    queue.clearDone();
    if (open.length > 0) return;
    setCaption('');
    setContainsStudents(false);
    setConsent(false);
  });

  function withDetails(send: (details: Details) => void) {
    const isMissing = consentText !== null && !consent;
    setIsConsentMissing(isMissing);
    if (isMissing) consentBox.current?.querySelector('input')?.focus();
    else send({ caption, containsStudents, consent });
  }

  return (
    <section
      ref={box}
      aria-label={t('photos:add')}
      onFocus={noteFocus}
      onBlur={forgetFocus}
      className="flex flex-col gap-3"
    >
      <DropZone onFiles={queue.add}>
        <div className="flex flex-wrap justify-center gap-2">
          <FileButton
            text={t('photos:choose')}
            accept={ACCEPT}
            isMultiple
            icon={<ImagePlus aria-hidden="true" className="size-5" />}
            onFiles={queue.add}
          />
          <span className="hidden pointer-coarse:contents">
            <FileButton
              text={t('photos:takeOne')}
              accept="image/*"
              icon={<Camera aria-hidden="true" className="size-5" />}
              isCamera
              onFiles={queue.add}
            />
          </span>
        </div>
        <p className="text-sm text-soft">
          <span className="pointer-coarse:hidden">{t('photos:orDrop')} </span>
          <span>{say(messages.uploadHint)}</span>
        </p>
      </DropZone>
      <div role="alert">
        {queue.refusal !== undefined && <FieldError id={`${consentId}-refusal`} text={queue.refusal} />}
      </div>
      {rows.length > 0 && (
        <div className="flex flex-col gap-4 rounded-card border border-line bg-card p-3 sm:p-4">
          <ul aria-label={t('photos:chosen')} className="flex flex-col divide-y divide-line">
            {rows.map((row) => (
              <FileRow
                key={row.key}
                row={row}
                onRemove={() => queue.remove(row.key)}
                onRetry={() => withDetails((details) => queue.retry(row.key, details))}
              />
            ))}
          </ul>
          {(toSend > 0 || isBusy) && (
            <>
              <TextArea
                name="caption"
                label={t('photos:captionOptional')}
                value={caption}
                onChange={setCaption}
                max={LIMITS.caption}
              />
              <div className="-mt-3 -ml-2 flex flex-col">
                <Checkbox isSelected={containsStudents} onChange={setContainsStudents}>
                  {t('photos:containsStudents')}
                </Checkbox>
                {consentText !== null && (
                  <div ref={consentBox}>
                    <Checkbox
                      isSelected={consent}
                      onChange={(given) => {
                        setConsent(given);
                        setIsConsentMissing(false);
                      }}
                      isAtFault={isConsentMissing}
                      describedBy={isConsentMissing ? `${consentId}-consent` : undefined}
                    >
                      {consentText}
                    </Checkbox>
                    <div role="alert" className="pl-2">
                      {isConsentMissing && (
                        <FieldError id={`${consentId}-consent`} text={say(messages.consentRequired)} />
                      )}
                    </div>
                  </div>
                )}
              </div>
              {rules.data?.review === true && <p className="text-sm text-soft">{t('photos:reviewHint')}</p>}
              <Button
                kind="primary"
                onPress={() => withDetails(queue.start)}
                isBusy={isBusy}
                busyText={t('photos:uploading')}
              >
                {t('photos:upload', { count: toSend })}
              </Button>
            </>
          )}
        </div>
      )}
    </section>
  );
}

/** When the focus goes with what it was on, its row takes it, else the first button; whoever leaves is not called back. */
function useKeptFocus() {
  const box = useRef<HTMLElement>(null);
  const last = useRef<{ row: string | null | undefined }>(undefined);
  useEffect(() => {
    if (last.current === undefined || document.activeElement !== document.body) return;
    const near = box.current?.querySelector<HTMLElement>(`[data-row="${last.current.row}"] button`);
    (near ?? box.current?.querySelector('button'))?.focus();
  });
  return {
    box,
    noteFocus: ({ target }: FocusEvent) => {
      last.current = { row: target.closest('[data-row]')?.getAttribute('data-row') };
    },
    forgetFocus: () => {
      last.current = undefined;
    },
  };
}

// How it went with all of them, in one sentence; what failed stands in its row.
function summary(
  arrived: readonly { message: string; isWaiting: boolean }[],
  say: (message: string) => string,
): string | undefined {
  const known = say(messages.allThere(1));
  const fresh = arrived.filter(({ message }) => message !== known);
  if (arrived.length === 0) return undefined;
  if (fresh.length === 0) return say(messages.allThere(arrived.length));
  return say(
    fresh.some(({ isWaiting }) => isWaiting)
      ? messages.uploadedForReview(fresh.length)
      : messages.uploaded(fresh.length),
  );
}

type OnFiles = { onFiles: (files: readonly File[]) => void };

function DropZone({ children, onFiles }: OnFiles & { children: ReactNode }) {
  const [isOver, setIsOver] = useState(false);
  function drop(event: DragEvent<HTMLElement>) {
    event.preventDefault();
    setIsOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) onFiles(files);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way; the button inside is for everybody
    <div
      className={`flex flex-col items-center gap-2 rounded-card border-2 border-dashed px-4 py-5 text-center transition-colors ${isOver ? 'border-brand bg-wash' : 'border-field'}`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      {children}
    </div>
  );
}

type FileRowProps = { row: UploadRow<File>; onRemove: () => void; onRetry: () => void };

function FileRow({ row, onRemove, onRetry }: FileRowProps) {
  const text = useText();
  const { t } = text;
  const { file, state, sent, said } = row;
  const isFault = state === 'failed' || state === 'refused';
  const isOnItsWay = state === 'waiting' || state === 'sending';
  return (
    <li data-row={row.key} className="flex items-center gap-3 py-2">
      <Thumbnail file={file} />
      <div className="flex min-w-0 grow flex-col gap-1">
        <p className="truncate text-dense font-medium" title={file.name}>
          {file.name}
        </p>
        {isOnItsWay && <Progress label={t('photos:progressOf', { name: file.name })} share={sent} />}
        {!isFault && (
          <p className="figures text-sm text-soft">
            {state === 'done' ? said : fileSize(file.size, text)}
            {state === 'waiting' && ` · ${t('photos:waitingTurn')}`}
            {state === 'sending' && ` · ${t('photos:percent', { percent: Math.round(sent * 100) })}`}
          </p>
        )}
        <div role="alert">
          {isFault && <FieldError id={`upload-${row.key}`} text={said ?? t('base:requestFailed')} />}
        </div>
      </div>
      {state === 'failed' && (
        <IconButton
          label={t('photos:retryOne', { name: file.name })}
          icon={<RotateCw aria-hidden="true" className="size-5" />}
          onPress={onRetry}
        />
      )}
      {state !== 'done' && (
        <IconButton
          label={
            isOnItsWay ? t('photos:cancelOne', { name: file.name }) : t('web:remove', { name: file.name })
          }
          icon={<X aria-hidden="true" className="size-5" />}
          onPress={onRemove}
        />
      )}
    </li>
  );
}

// What this browser cannot show, such as HEIC in most of them, is seen when it is there.
function Thumbnail({ file }: { file: File }) {
  const { t } = useText();
  const [address, setAddress] = useState<string>();
  const [isUnreadable, setIsUnreadable] = useState(false);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  if (isUnreadable) {
    return (
      <span
        className="flex size-14 shrink-0 items-center justify-center rounded-lg bg-line text-ink"
        title={t('photos:previewLater')}
      >
        <FileImage aria-hidden="true" className="size-6" />
        <span className="sr-only">{t('photos:previewLater')}</span>
      </span>
    );
  }
  return (
    <span className="size-14 shrink-0 overflow-hidden rounded-lg bg-line">
      {address !== undefined && (
        <img src={address} alt="" className="size-full object-cover" onError={() => setIsUnreadable(true)} />
      )}
    </span>
  );
}
