import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import { usePermittedSchools } from '#features/schools/web/admin-permitted-schools.ts';
import { CallError, failureText } from '#web/api/call.ts';
import { useUnsaved } from '#web/forms/unsaved-changes.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ListTitle } from '#web/ui/admin/list-page.tsx';
import { Step, StepMessage, Steps, stepTitle } from '#web/ui/admin/steps.tsx';
import { Button } from '#web/ui/button.tsx';
import { useBackCloses } from '#web/ui/use-back-closes.ts';
import { type ImportPreview, messages, type TimeEntryImport } from '../contract.ts';
import { usePreview } from './admin-api.ts';
import { ColumnsStep } from './admin-columns-step.tsx';
import { FileStep } from './admin-file-step.tsx';
import { ImportDone, PastHoursImports } from './admin-past-hours-imports.tsx';
import { PreviewStep } from './admin-preview-step.tsx';
import { QuestionsStep } from './admin-questions-step.tsx';
import { type Draft, isLostByReload, toRequestBody, useDraft } from './import-draft.ts';

export type HoursImportProps = {
  /** The selected school; undefined means all schools. */
  school: PublicSchool | undefined;
  /** The district's time zone. */
  timeZone: string;
  onBack: () => void;
};

type StepNumber = 1 | 2 | 3 | 4;

// Long because it is the whole screen: four steps, with a summary line for each finished one.
/** Imports hours from a file, in four steps: the file, its columns, open questions about names, and a preview. */
export function HoursImport({ school, timeZone, onBack }: HoursImportProps) {
  const { t, say } = useTranslation();
  const schools = usePermittedSchools('import hours');
  const { draft, change, clear } = useDraft();
  const [step, setStep] = useState<StepNumber>(1);
  const [preview, setPreview] = useState<ImportPreview>();
  const [problem, setProblem] = useState<string>();
  const [done, setDone] = useState<TimeEntryImport>();
  const checking = usePreview();
  useBackCloses(true, onBack, 'part');
  useUnsaved(isLostByReload(draft), { isKept: true });
  const schoolId = draft.schoolId ?? school?.id ?? schools.preset?.id;
  const atSchool = schools.data?.find(({ id }) => id === schoolId);

  async function check(next: Draft, to: StepNumber) {
    if (checking.isPending) return;
    if (next.csv.trim() === '') return setProblem(say(messages.fileRequired));
    if (schoolId === undefined) return setProblem(t('hours:chooseSchool'));
    setProblem(undefined);
    try {
      const preview = await checking.mutateAsync(toRequestBody(next, schoolId));
      setPreview(preview);
      open(stepAfter(preview, to));
    } catch (error) {
      const named = error instanceof CallError ? Object.values(error.fields)[0] : undefined;
      setProblem(named ?? failureText(error));
    }
  }

  function open(next: StepNumber) {
    setStep(next);
    if (next !== step) setTimeout(() => stepTitle(next).focus());
  }

  function finish(made: TimeEntryImport) {
    setDone(made);
    setPreview(undefined);
    setStep(1);
    clear();
  }

  const stateOf = (number: StepNumber) => (number < step ? 'done' : number === step ? 'open' : 'later');
  const again = (number: StepNumber) =>
    number < step ? (
      <Button kind="plain" onPress={() => open(number)} label={t('hours:changeStep', { number })}>
        {t('hours:change')}
      </Button>
    ) : undefined;
  const message = <StepMessage message={problem} />;
  const isBusy = checking.isPending;
  return (
    <section className="flex flex-col gap-3">
      <div className="-ml-3">
        <Button kind="plain" icon={<ArrowLeft aria-hidden="true" className="size-5" />} onPress={onBack}>
          {t('hours:back')}
        </Button>
      </div>
      <ListTitle title={t('hours:title')} />
      {done !== undefined && <ImportDone started={done} />}
      <Steps>
        <Step
          number={1}
          title={t('hours:fileTitle')}
          state={stateOf(1)}
          summary={step > 1 ? fileSummary(draft, atSchool, t('hours:pasted')) : undefined}
          action={again(1)}
        >
          {step === 1 ? (
            <FileStep
              draft={draft}
              change={(part) => {
                setProblem(undefined);
                change(part);
              }}
              schools={school === undefined ? schools.data : undefined}
              schoolId={schoolId}
              isBusy={isBusy}
              message={message}
              onCheck={() => void check(draft, 2)}
            />
          ) : undefined}
        </Step>
        <Step
          number={2}
          title={t('hours:columnsTitle')}
          state={stateOf(2)}
          summary={step > 2 && preview !== undefined ? columnSummary(preview, t) : undefined}
          action={again(2)}
        >
          {step === 2 && preview !== undefined ? (
            <ColumnsStep
              preview={preview}
              isBusy={isBusy}
              message={message}
              onCheck={(part) => void check(change(part), 3)}
            />
          ) : undefined}
        </Step>
        <Step
          number={3}
          title={t('hours:namesTitle')}
          state={stateOf(3)}
          summary={step > 3 && preview !== undefined ? namesSummary(preview, t) : undefined}
          action={again(3)}
        >
          {step === 3 && preview !== undefined && schoolId !== undefined ? (
            <QuestionsStep
              preview={preview}
              draft={draft}
              change={change}
              schoolId={schoolId}
              isBusy={isBusy}
              message={message}
              onCheck={() => void check(draft, 4)}
            />
          ) : undefined}
        </Step>
        <Step number={4} title={t('hours:previewTitle')} state={stateOf(4)}>
          {step === 4 && preview !== undefined && schoolId !== undefined ? (
            <PreviewStep
              preview={preview}
              draft={draft}
              schoolId={schoolId}
              isChecking={isBusy}
              message={message}
              onCheck={(part) => void check(change(part), 4)}
              onDone={finish}
            />
          ) : undefined}
        </Step>
      </Steps>
      <PastHoursImports schoolId={school?.id} timeZone={timeZone} />
    </section>
  );
}

// The columns step is always shown, the questions step only if there are questions.
function stepAfter({ missing, questions }: ImportPreview, to: StepNumber): StepNumber {
  if (missing.length > 0) return 2;
  const isAsked = questions.peopleCount + questions.activitiesCount > 0;
  return to === 3 && !isAsked ? 4 : to;
}

function fileSummary(draft: Draft, school: PublicSchool | undefined, pasted: string): ReactNode {
  return [draft.fileName ?? pasted, school?.name].filter((part) => part !== undefined).join(' · ');
}

function namesSummary({ questions }: ImportPreview, t: ReturnType<typeof useTranslation>['t']): string {
  const count = questions.peopleCount + questions.activitiesCount;
  return count === 0 ? t('hours:namesDone') : t('hours:namesOpen', { count });
}

function columnSummary({ columns }: ImportPreview, t: ReturnType<typeof useTranslation>['t']): string {
  const count = columns.filter(({ use }) => use !== null).length;
  return t('hours:columnsUsed', { count });
}
