import { Camera, FileImage, ImagePlus, RotateCw, X } from 'lucide-react';
import { type DragEvent, useEffect, useId, useRef, useState } from 'react';
import type { Id } from '#shared/id.ts';
import { useUnsaved } from '#web/forms/unsaved-changes.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { FileButton } from '#web/ui/file-button.tsx';
import { createFocusTarget, createFocusTargets, type FocusTarget } from '#web/ui/focus-target.ts';
import { FieldError } from '#web/ui/labeled-field.tsx';
import { Progress } from '#web/ui/progress-bar.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { LIMITS, messages, type Photo } from '../contract.ts';
import { usePhotoRules } from './api.ts';
import { ACCEPT } from './photo-file.ts';
import { fileSize } from './photo-labels.ts';
import type { UploadRow } from './upload-queue.ts';
import { type UploadDetails, useUpload } from './use-upload.ts';

type UploadFormProps = {
  activityId: Id;
  schoolId: Id;
  /** Called with photos that the server has now, both new and existing ones. */
  onArrived: (photos: readonly Photo[]) => void;
  /** Called with a summary when every file has been sent or has failed. */
  onMessage: (message: string) => void;
};

/** Adds photos to an activity: selected from files, dropped, or taken with the phone's camera. */
export function UploadForm({ activityId, schoolId, onArrived, onMessage }: UploadFormProps) {
  const { t, say } = useTranslation();
  const id = useId();
  const rules = usePhotoRules();
  const consentText = rules.data?.consentText ?? null;
  const details = useDetails(consentText);
  const arrived = useRef<Arrived[]>([]);
  const queued = useRef(0);
  const queue = useUpload({
    activityId,
    schoolId,
    onArrived: (photos, added) => {
      arrived.current.push({
        isNew: added > 0,
        isWaiting: photos.some(({ review }) => review === 'waiting'),
      });
      onArrived(photos);
    },
    onQueued: () => {
      queued.current += 1;
    },
    onConsentMissing: () => {
      details.markConsentMissing();
      void rules.refetch();
    },
    onEnd: (areLeft) => {
      const messages = [
        summary(arrived.current, say),
        queued.current > 0 ? t('photos:keptForLater', { count: queued.current }) : undefined,
      ].filter((one) => one !== undefined);
      arrived.current = [];
      queued.current = 0;
      if (messages.length > 0) onMessage(messages.join(' '));
      if (!areLeft) details.clear();
    },
  });
  const { rows, isBusy } = queue;
  const toSend = rows.filter(({ state }) => state === 'chosen' || state === 'failed').length;
  const focus = useRowFocus(rows);
  useUnsaved(rows.some(({ state }) => state !== 'done' && state !== 'rejected'));

  return (
    <section
      aria-label={t('photos:add')}
      onFocus={focus.noteAbove}
      onBlur={focus.forget}
      className="flex flex-col gap-3"
    >
      <DropZone onFiles={queue.add} chooseRef={focus.choose.ref} />
      <div role="alert">
        {queue.rejection !== undefined && <FieldError id={`${id}-rejection`} text={queue.rejection} />}
      </div>
      {rows.length > 0 && (
        <div className="flex flex-col gap-4 rounded-card border border-line bg-card p-3 sm:p-4">
          <ul aria-label={t('photos:chosen')} className="flex flex-col divide-y divide-line">
            {rows.map((row) => (
              <FileRow
                key={row.key}
                row={row}
                removeRef={focus.focusTargetOf(row.key).ref}
                onFocus={() => focus.noteRow(row.key)}
                onRemove={() => queue.removeRow(row.key)}
                onRetry={() => details.pass((values) => queue.queueRow(row.key, values))}
              />
            ))}
          </ul>
          {(toSend > 0 || isBusy) && (
            <>
              <DetailFields
                details={details}
                consentText={consentText}
                language={rules.data?.consentLanguage}
              />
              {rules.data?.review === true && <p className="text-sm text-soft">{t('photos:reviewHint')}</p>}
              <Button
                kind="primary"
                onPress={() => details.pass(queue.queueAll)}
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

// Caption, student flag and consent, which apply to all files. Nothing is sent without the consent that the district
// requires.
function useDetails(consentText: string | null) {
  const [values, setValues] = useState(NO_DETAILS);
  const [isConsentMissing, setIsConsentMissing] = useState(false);
  const consentBox = useRef<HTMLInputElement>(null);
  return {
    values,
    isConsentMissing,
    consentBox,
    change(next: Partial<UploadDetails>) {
      setValues((before) => ({ ...before, ...next }));
      if (next.consent !== undefined) setIsConsentMissing(false);
    },
    markConsentMissing: () => setIsConsentMissing(true),
    pass(send: (details: UploadDetails) => void) {
      const isMissing = consentText !== null && !values.consent;
      setIsConsentMissing(isMissing);
      if (isMissing) consentBox.current?.focus();
      else send(values);
    },
    clear: () => setValues(NO_DETAILS),
  };
}

const NO_DETAILS: UploadDetails = { caption: '', containsStudents: false, consent: false };

type DetailFieldsProps = {
  details: ReturnType<typeof useDetails>;
  consentText: string | null;
  /** The language of the consent text, if it differs from the page's. */
  language: string | undefined;
};

function DetailFields({ details, consentText, language }: DetailFieldsProps) {
  const { t, say } = useTranslation();
  const id = useId();
  const { values, change, isConsentMissing } = details;
  return (
    <>
      <TextArea
        name="caption"
        label={t('photos:captionOptional')}
        value={values.caption}
        onChange={(caption) => change({ caption })}
        max={LIMITS.caption}
      />
      <div className="-mt-3 -ml-2 flex flex-col">
        <Checkbox
          isSelected={values.containsStudents}
          onChange={(containsStudents) => change({ containsStudents })}
        >
          {t('photos:containsStudents')}
        </Checkbox>
        {consentText !== null && (
          <div>
            <Checkbox
              ref={details.consentBox}
              isSelected={values.consent}
              onChange={(consent) => change({ consent })}
              isAtFault={isConsentMissing}
              describedBy={isConsentMissing ? id : undefined}
            >
              <span lang={language}>{consentText}</span>
            </Checkbox>
            <div role="alert" className="pl-2">
              {isConsentMissing && <FieldError id={id} text={say(messages.consentRequired)} />}
            </div>
          </div>
        )}
      </div>
    </>
  );
}

// When the focused button disappears, another button of its row gets the focus, else the button that selects files.
function useRowFocus(rows: readonly UploadRow<File>[]) {
  const [choose] = useState(createFocusTarget);
  const [focusTargetOf] = useState(() => createFocusTargets<number>());
  const last = useRef<number | 'above'>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: buttons appear and disappear with the rows
  useEffect(() => {
    if (last.current === undefined || document.activeElement !== document.body) return;
    const isInRow = last.current !== 'above' && focusTargetOf(last.current).focus();
    if (!isInRow) choose.focus();
  }, [rows]);
  return {
    choose,
    focusTargetOf,
    noteAbove: () => {
      last.current = 'above';
    },
    noteRow: (key: number) => {
      last.current = key;
    },
    /** Prevents the focus from returning after the user has moved on. Removing a focused element fires no event. */
    forget: () => {
      last.current = undefined;
    },
  };
}

type Arrived = Readonly<{ isNew: boolean; isWaiting: boolean }>;

// One message for everything that was uploaded. A failure appears in its row.
function summary(arrived: readonly Arrived[], say: (message: string) => string): string | undefined {
  const fresh = arrived.filter(({ isNew }) => isNew);
  if (arrived.length === 0) return undefined;
  if (fresh.length === 0) return say(messages.allThere(arrived.length));
  return say(
    fresh.some(({ isWaiting }) => isWaiting)
      ? messages.uploadedForReview(fresh.length)
      : messages.uploaded(fresh.length),
  );
}

type DropZoneProps = { onFiles: (files: readonly File[]) => void; chooseRef: FocusTarget['ref'] };

function DropZone({ onFiles, chooseRef }: DropZoneProps) {
  const { t, say } = useTranslation();
  const [isOver, setIsOver] = useState(false);
  function drop(event: DragEvent<HTMLElement>) {
    event.preventDefault();
    setIsOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) onFiles(files);
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is optional, and the button inside works for everyone
    <div
      className={`flex flex-col items-center gap-2 rounded-card border-2 border-dashed px-4 py-5 text-center transition-colors ${isOver ? 'border-brand bg-wash' : 'border-field'}`}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <div className="flex flex-wrap justify-center gap-2">
        <FileButton
          text={t('photos:choose')}
          accept={ACCEPT}
          isMultiple
          icon={<ImagePlus aria-hidden="true" className="size-5" />}
          onFiles={onFiles}
          buttonRef={chooseRef}
        />
        <span className="hidden pointer-coarse:contents">
          <FileButton
            text={t('photos:takeOne')}
            accept="image/*"
            icon={<Camera aria-hidden="true" className="size-5" />}
            isCamera
            onFiles={onFiles}
          />
        </span>
      </div>
      <p className="text-sm text-soft">
        <span className="pointer-coarse:hidden">{t('photos:orDrop')} </span>
        <span>{say(messages.uploadHint)}</span>
      </p>
    </div>
  );
}

type FileRowProps = {
  row: UploadRow<File>;
  removeRef: FocusTarget['ref'];
  onFocus: () => void;
  onRemove: () => void;
  onRetry: () => void;
};

function FileRow({ row, removeRef, onFocus, onRemove, onRetry }: FileRowProps) {
  const text = useTranslation();
  const { t } = text;
  const { file, state, sent, message } = row;
  const hasFailed = state === 'failed' || state === 'rejected';
  const isOnItsWay = state === 'waiting' || state === 'sending';
  return (
    <li
      className="flex flex-wrap items-center justify-end gap-3 py-2"
      onFocus={(event) => {
        event.stopPropagation();
        onFocus();
      }}
    >
      <Thumbnail file={file} />
      <div className="flex min-w-0 grow basis-24 flex-col gap-1">
        <p className="text-dense font-medium wrap-anywhere">{file.name}</p>
        {isOnItsWay && <Progress label={t('photos:progressOf', { name: file.name })} share={sent} />}
        {!hasFailed && (
          <p className="figures text-sm text-soft">
            {state === 'done' ? message : fileSize(file.size, text)}
            {state === 'waiting' && ` · ${t('photos:waitingTurn')}`}
            {state === 'sending' && ` · ${t('photos:percent', { percent: Math.round(sent * 100) })}`}
          </p>
        )}
        <div role="alert">
          {hasFailed && <FieldError id={`upload-${row.key}`} text={message ?? t('shared:requestFailed')} />}
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
          ref={removeRef}
        />
      )}
    </li>
  );
}

// Most browsers cannot show formats such as HEIC, so these get a thumbnail only after the upload.
function Thumbnail({ file }: { file: File }) {
  const { t } = useTranslation();
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
