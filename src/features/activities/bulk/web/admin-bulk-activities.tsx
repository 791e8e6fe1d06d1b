import { ListPlus } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import { FormSchool } from '#features/schools/web/admin-form-school.tsx';
import { useLeaveArea, useUnsaved } from '#web/forms/unsaved-changes.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ListFileButton } from '#web/ui/admin/admin-file-button.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { ListTitle } from '#web/ui/admin/list-page.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { useBackCloses } from '#web/ui/use-back-closes.ts';
import type { AdminActivity } from '../../contract.ts';
import { copyForNextYear } from '../../web/admin-activity-form-values.ts';
import { BULK, type BulkDone, bulkMessages } from '../contract.ts';
import { BulkAddedNotice, PastBatches } from './admin-activity-batches.tsx';
import { BulkPreviewStep, DefaultCategory } from './admin-bulk-preview.tsx';
import { StarterSet } from './admin-starter-set.tsx';
import { type Draft, EMPTY, readDraft, saveBulkScreenOpen, saveDraft } from './bulk-draft.ts';
import { type ListRow, parsePastedActivities } from './pasted-activities.ts';

/** Maximum length of a pasted list: 500 activities with long descriptions. */
const MAX_CHARACTERS = 1_000_000;

type AddActivitiesProps = {
  school: PublicSchool;
  zone: string;
  start: Draft;
  /** Whether to save a draft. Copies of other activities are not saved. */
  isDraftSaved: boolean;
  onDone: (done: BulkDone) => void;
  onClose: () => void;
};

/** The screen for adding activities to a school in bulk: first a list, then a preview of each row. */
export function AddActivities({ school, zone, start, isDraftSaved, onDone, onClose }: AddActivitiesProps) {
  const { t } = useTranslation();
  const id = useId();
  const [draft, setDraft] = useState(start);
  useUnsaved(!isDraftSaved && draft !== start);
  function change(changes: Partial<Draft>) {
    const next = { ...draft, ...changes };
    setDraft(next);
    if (isDraftSaved) saveDraft(school.id, next);
  }
  function goBack() {
    if (!isDraftSaved) return onClose();
    change({ rows: undefined });
    setTimeout(listTitle.focus);
  }
  return (
    <section aria-labelledby={id} className="flex flex-col gap-5">
      <ListTitle
        id={id}
        title={t('activities:severalTitle', { school: school.name })}
        aside={<Button onPress={onClose}>{t('activities:severalBack')}</Button>}
      />
      {draft.rows !== undefined ? (
        <BulkPreviewStep
          school={school}
          draft={draft}
          rows={draft.rows}
          onChange={change}
          onBack={goBack}
          onDone={onDone}
        />
      ) : draft.starter !== undefined ? (
        <StarterSet
          chosen={draft.starter}
          onChange={(starter) => change({ starter })}
          onBack={() => change({ starter: undefined })}
          onCheck={(rows, looks) => change({ rows, looks, unused: [] })}
        />
      ) : (
        <>
          <ListStep school={school} draft={draft} onChange={change} />
          <PastBatches schoolId={school.id} zone={zone} />
        </>
      )}
    </section>
  );
}

type ListStepProps = { school: PublicSchool; draft: Draft; onChange: (changes: Partial<Draft>) => void };

function ListStep({ school, draft, onChange }: ListStepProps) {
  const { t, say } = useTranslation();
  const [problem, setProblem] = useState<string>();
  const { pasted, category } = draft;

  function check(text: string) {
    const { rows, unused } = parsePastedActivities(text);
    if (rows.length === 0) setProblem(say(bulkMessages.noneGiven));
    else if (rows.length > BULK.most) setProblem(say(bulkMessages.tooMany));
    else onChange({ pasted: text, rows, unused: [...unused], looks: [] });
  }

  function choose(text: string) {
    if (text.length > MAX_CHARACTERS) setProblem(say(bulkMessages.tooMany));
    else check(text);
  }

  function send(event: FormEvent) {
    event.preventDefault();
    check(pasted);
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-5 rounded-card border border-line bg-card p-5 sm:p-6"
      onSubmit={send}
    >
      <div ref={focusInside}>
        <TextArea
          name="list"
          label={t('activities:severalPaste')}
          hint={t('activities:severalHint')}
          value={pasted}
          onChange={(text) => {
            onChange({ pasted: text });
            setProblem(undefined);
          }}
          max={MAX_CHARACTERS}
          isTall
        />
      </div>
      <DefaultCategory
        schoolId={school.id}
        value={category}
        onChange={(next) => onChange({ category: next })}
      />
      <Sample />
      <FormMessage message={problem} />
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button kind="primary" type="submit">
          {t('activities:severalCheck')}
        </Button>
        <ListFileButton onText={choose}>{t('activities:severalFile')}</ListFileButton>
        <Button
          icon={<ListPlus aria-hidden="true" className="size-5" />}
          onPress={() => onChange({ starter: [] })}
        >
          {t('activities:starterOpen')}
        </Button>
      </div>
      <p className="text-soft">{t('activities:severalNothingYet')}</p>
    </form>
  );
}

const SAMPLE_HEADS = [
  'activities:severalSampleName',
  'activities:severalSampleCategory',
  'activities:severalSampleFrom',
  'activities:severalSampleUntil',
  'activities:severalSampleDescription',
  'activities:severalSampleYearLong',
] as const;

// A sample table, formatted like a spreadsheet.
function Sample() {
  const { t } = useTranslation();
  const rows = [
    SAMPLE_HEADS.map((head) => t(head)),
    [
      t('activities:starterBookFair'),
      t('activities:starterEvents'),
      t('activities:severalSampleFirstDay'),
      t('activities:severalSampleLastDay'),
      '',
      '',
    ],
    [
      t('activities:starterReading'),
      t('activities:starterClassroom'),
      '',
      '',
      '',
      t('activities:severalSampleYes'),
    ],
  ];
  return (
    <figure className="flex flex-col gap-1.5">
      <figcaption className="text-sm text-soft">{t('activities:severalSample')}</figcaption>
      <table className="self-start text-sm wrap-anywhere text-soft max-sm:hidden">
        <tbody>
          {rows.map((cells) => (
            <tr key={cells[0]}>
              <th scope="row" className="border border-line px-3 py-1 text-left font-normal">
                {cells[0]}
              </th>
              {cells.slice(1).map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell has no key other than its position
                <td key={at} className="border border-line px-3 py-1">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

/** Focuses the list on devices with a mouse or trackpad, so a user can paste right away. */
function focusInside(around: HTMLElement | null) {
  if (matchMedia('(pointer: fine)').matches) around?.querySelector('textarea')?.focus();
}

/** The open view: the bulk screen, the same screen with copies for next year, or the notice afterwards. */
export type BulkState =
  | Readonly<{ kind: 'add' }>
  | Readonly<{ kind: 'next year'; copies: readonly AdminActivity[] }>
  | Readonly<{ kind: 'done'; done: BulkDone }>;

/** Props of the bulk screen, which is loaded lazily. */
export type BulkActivitiesProps = Readonly<{
  state: BulkState;
  /** Undefined in a list of all schools. */
  school: PublicSchool | undefined;
  zone: string;
  onDone: (done: BulkDone) => void;
  onClose: () => void;
}>;

/** Adds activities in bulk from a list, the starter set or copies, then shows a notice with Undo. */
export function BulkActivities({ state, school, zone, onDone, onClose }: BulkActivitiesProps) {
  return state.kind === 'done' ? (
    <BulkAddedNotice done={state.done} onClose={onClose} />
  ) : (
    <Adding state={state} school={school} zone={zone} onDone={onDone} onClose={onClose} />
  );
}

function Adding({ state, school, zone, onDone, onClose }: BulkActivitiesProps) {
  const leave = useLeaveArea();
  const close = () => leave(onClose);
  useBackCloses(true, close, 'part');
  const [copies] = useState(() => (state.kind === 'next year' ? state.copies : []));
  return (
    <FormSchool school={copies[0]?.schoolId ?? school} needs="edit activities">
      {(at) => (
        <AddActivities
          school={at}
          zone={zone}
          start={
            copies.length > 0
              ? { ...EMPTY, rows: copies.map((activity, id) => copyOf(copyForNextYear(activity), id)) }
              : readDraft(at.id)
          }
          isDraftSaved={copies.length === 0}
          onDone={(done) => {
            if (copies.length === 0) saveDraft(at.id, undefined);
            saveBulkScreenOpen(undefined);
            onDone(done);
          }}
          onClose={close}
        />
      )}
    </FormSchool>
  );
}

function copyOf(activity: AdminActivity, id: number): ListRow {
  const { name, category, description, activeFrom, activeUntil, descriptionPrompt } = activity;
  const { isActive, verifiedBy, outsideVerifier, translations } = activity;
  return {
    id,
    name,
    category: category.name,
    description: description ?? '',
    from: activeFrom ?? '',
    until: activeUntil ?? '',
    prompt: descriptionPrompt ?? '',
    more: { isActive, verifiedBy, outsideVerifier, translations },
  };
}
