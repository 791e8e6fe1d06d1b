import { Circle, CircleCheck, CircleMinus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { failureText } from '#web/api/call.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Disclosure } from '#web/ui/disclosure.tsx';
import { notify } from '#web/ui/toasts.ts';
import { useIsWide } from '#web/ui/use-media.ts';
import type { FirstRun, Step } from '../contract.ts';
import { useChangeFirstRun, useFirstRun } from './api.ts';

export type FirstRunChecklistProps = {
  /** Opens the screen of a step. */
  onStep: (step: Step) => void;
  /** Replaces the checklist if there are no steps to do. */
  otherwise?: ReactNode;
};

/** The first-run checklist of a new district, as one card. */
export function FirstRunChecklist({ onStep, otherwise }: FirstRunChecklistProps) {
  const progress = useFirstRun().data;
  if (progress === undefined) return null;
  const access = progress.steps.find(({ name }) => name === 'access');
  const isPutOff = access !== undefined && !access.isDone && (access.isPutAway || !progress.isOpen);
  return (
    <>
      {isPutOff && <AccessBanner onDecide={() => onStep('access')} />}
      {progress.isOpen ? <StepsCard progress={progress} onStep={onStep} /> : otherwise}
    </>
  );
}

// Stays until an administrator decides, because the defaults show photos of children.
function AccessBanner({ onDecide }: { onDecide: () => void }) {
  const { t } = useTranslation();
  return (
    <section
      aria-label={t('operations:firstAccess')}
      className="mb-6 flex flex-wrap items-center justify-between gap-x-4 rounded-xl border border-notice-line bg-notice-wash px-4 py-1.5 text-notice max-sm:-mx-4 max-sm:-mt-5 max-sm:mb-2 max-sm:rounded-none max-sm:border-x-0 max-sm:border-t-0 max-sm:py-0"
    >
      {/* On a phone, a single line from edge to edge leaves more room for the list below. */}
      <p className="min-w-0 grow basis-40 text-sm font-medium wrap-anywhere sm:hidden">
        {t('operations:firstAccessShort')}
      </p>
      <p className="min-w-0 grow basis-40 font-medium wrap-anywhere max-sm:hidden">
        {t('operations:firstAccessOpen')}
      </p>
      <LinkButton onPress={onDecide}>{t('operations:firstAccessDecide')}</LinkButton>
    </section>
  );
}

function StepsCard({ progress, onStep }: { progress: FirstRun } & Pick<FirstRunChecklistProps, 'onStep'>) {
  const { t } = useTranslation();
  const change = useChangeFirstRun();
  const save = (body: Parameters<typeof change.mutateAsync>[0]) =>
    change.mutateAsync(body).catch((error: unknown) => notify.failure(failureText(error)));
  const away = progress.steps.filter(({ isPutAway }) => isPutAway).map(({ name }) => name);
  const done = progress.steps.filter(isFinished).length;
  const isWide = useIsWide();
  const Steps = isWide ? AllSteps : FoldedSteps;
  return (
    <div className="mb-6">
      <Card>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <div>
            <h2 className="text-xl font-semibold">{t('operations:firstTitle')}</h2>
            <p className="text-soft">{t('operations:firstAbout', { done, total: progress.steps.length })}</p>
          </div>
          <Button kind="plain" isBusy={change.isPending} onPress={() => void save({ isOpen: false })}>
            {t('operations:firstHide')}
          </Button>
        </div>
        <Steps
          steps={progress.steps}
          onOpen={onStep}
          onPutAway={(step, isAway) =>
            void save({ putAway: isAway ? [...away, step] : away.filter((name) => name !== step) })
          }
        />
      </Card>
    </div>
  );
}

type StepsProps = {
  steps: FirstRun['steps'];
  onOpen: (step: Step) => void;
  onPutAway: (step: Step, isAway: boolean) => void;
};

const isFinished = ({ isDone, isPutAway }: FirstRun['steps'][number]) => isDone || isPutAway;

function AllSteps({ steps, onOpen, onPutAway }: StepsProps) {
  return (
    <ol className="mt-4 flex flex-col gap-1">
      {steps.map((step) => (
        <StepRow
          key={step.name}
          step={step}
          isBlocked={isBlocked(step.name, steps)}
          onOpen={onOpen}
          onPutAway={onPutAway}
        />
      ))}
    </ol>
  );
}

// On phones: one line for each step to do, with the next one open, and one line for all completed steps.
function FoldedSteps({ steps, onOpen, onPutAway }: StepsProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<Step | 'none'>();
  const [isPastOpen, setIsPastOpen] = useState(false);
  const [past, toDo] = [steps.filter(isFinished), steps.filter((step) => !isFinished(step))];
  const opened = toDo.some(({ name }) => name === chosen) || chosen === 'none' ? chosen : toDo[0]?.name;
  return (
    <div className="mt-2">
      {toDo.map(({ name }) => (
        <Disclosure
          key={name}
          title={t(STEP_MESSAGES[name][0])}
          isExpanded={name === opened}
          onExpandedChange={(isExpanded) => setChosen(isExpanded ? name : 'none')}
        >
          <div className="flex flex-col gap-3 px-2 pb-4">
            <p className="text-soft">{t(STEP_MESSAGES[name][1])}</p>
            <StepButtons
              step={{ name, isDone: false, isPutAway: false }}
              isBlocked={isBlocked(name, steps)}
              onOpen={onOpen}
              onPutAway={onPutAway}
            />
          </div>
        </Disclosure>
      ))}
      {past.length > 0 && (
        <Disclosure
          title={t('operations:firstPast')}
          count={past.length}
          isExpanded={isPastOpen}
          onExpandedChange={setIsPastOpen}
        >
          <ol className="flex flex-col gap-1 px-2">
            {past.map((step) => (
              <StepRow key={step.name} step={step} onOpen={onOpen} onPutAway={onPutAway} />
            ))}
          </ol>
        </Disclosure>
      )}
    </div>
  );
}

type StepRowProps = Omit<StepsProps, 'steps'> & {
  step: FirstRun['steps'][number];
  /** Whether another step has to be done first. */
  isBlocked?: boolean | undefined;
};

// Categories and activities require a school.
function isBlocked(step: Step, steps: FirstRun['steps']): boolean {
  return step === 'activities' && steps.some(({ name, isDone }) => name === 'school' && !isDone);
}

function StepRow({ step, isBlocked, onOpen, onPutAway }: StepRowProps) {
  const { t } = useTranslation();
  const { name, isDone, isPutAway } = step;
  const [title, about] = STEP_MESSAGES[name];
  const Icon = isDone ? CircleCheck : isPutAway ? CircleMinus : Circle;
  const state = isDone
    ? 'operations:firstDone'
    : isPutAway
      ? 'operations:firstSkipped'
      : 'operations:firstToDo';
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 py-1">
      <div className="flex min-w-[min(10rem,100%)] flex-1 items-start gap-3">
        <Icon
          aria-hidden="true"
          className={`mt-0.5 size-5 shrink-0 ${isDone ? 'text-brand' : 'text-soft'}`}
        />
        <div className="min-w-0 wrap-anywhere">
          <span className="sr-only">{t(state)} </span>
          <span className={isDone || isPutAway ? 'text-soft' : 'font-medium'}>{t(title)}</span>
          {!isDone && !isPutAway && <p className="text-sm text-soft">{t(about)}</p>}
        </div>
      </div>
      {!isDone && <StepButtons {...{ step, isBlocked, onOpen, onPutAway }} />}
    </li>
  );
}

function StepButtons({ step: { name, isPutAway }, isBlocked = false, onOpen, onPutAway }: StepRowProps) {
  const { t } = useTranslation();
  const step = t(STEP_MESSAGES[name][0]);
  return (
    <div className="flex flex-wrap gap-1">
      <Button
        kind="plain"
        label={t(isPutAway ? 'operations:firstBackOf' : 'operations:firstSkipOf', { step })}
        onPress={() => onPutAway(name, !isPutAway)}
      >
        {t(isPutAway ? 'operations:firstBack' : 'operations:firstSkip')}
      </Button>
      {!isPutAway && (
        <Button
          label={t('operations:firstOpenOf', { step })}
          isDisabled={isBlocked}
          onPress={() => onOpen(name)}
        >
          {t('operations:firstOpen')}
        </Button>
      )}
    </div>
  );
}

const STEP_MESSAGES: Readonly<Record<Step, readonly [MessageKey, MessageKey]>> = {
  you: ['operations:firstYou', 'operations:firstYouAbout'],
  district: ['operations:firstDistrict', 'operations:firstDistrictAbout'],
  school: ['operations:firstSchool', 'operations:firstSchoolAbout'],
  activities: ['operations:firstActivities', 'operations:firstActivitiesAbout'],
  timeZone: ['operations:firstTimeZone', 'operations:firstTimeZoneAbout'],
  access: ['operations:firstAccess', 'operations:firstAccessAbout'],
  mail: ['operations:firstMail', 'operations:firstMailAbout'],
  people: ['operations:firstPeople', 'operations:firstPeopleAbout'],
  backup: ['operations:firstBackup', 'operations:firstBackupAbout'],
};
