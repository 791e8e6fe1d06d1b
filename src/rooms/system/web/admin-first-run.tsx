import { Circle, CircleCheck, CircleMinus } from 'lucide-react';
import type { ReactNode } from 'react';
import { baseMessages } from '#base/messages.ts';
import { failureText } from '#web/lib/call.ts';
import { notify } from '#web/lib/notify.ts';
import { type TextKey, useText } from '#web/lib/text.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import type { FirstRun, Step } from '../first-run-contract.ts';
import { useChangeFirstRun, useFirstRun } from './first-run-api.ts';

export type FirstStepsProps = {
  /** Goes where a step is done. */
  onStep: (step: Step) => void;
  /** What stands in its place where there are no first steps to do. */
  otherwise?: ReactNode;
};

/** The first steps of a new district, as one card. */
export function FirstSteps({ onStep, otherwise }: FirstStepsProps) {
  const found = useFirstRun().data;
  if (found === undefined) return null;
  return found.isOpen ? <StepsCard found={found} onStep={onStep} /> : otherwise;
}

function StepsCard({ found, onStep }: { found: FirstRun } & Pick<FirstStepsProps, 'onStep'>) {
  const { t } = useText();
  const change = useChangeFirstRun();
  const save = (body: Parameters<typeof change.mutateAsync>[0]) =>
    change
      .mutateAsync(body)
      .catch((error: unknown) => notify.failure(failureText(error, baseMessages.requestFailed)));
  const away = found.steps.filter(({ isPutAway }) => isPutAway).map(({ name }) => name);
  const done = found.steps.filter(({ isDone, isPutAway }) => isDone || isPutAway).length;
  return (
    <div className="mb-6">
      <Card>
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
          <div>
            <h2 className="text-xl font-semibold">{t('system:firstTitle')}</h2>
            <p className="text-soft">{t('system:firstAbout', { done, total: found.steps.length })}</p>
          </div>
          <Button kind="plain" isBusy={change.isPending} onPress={() => void save({ isOpen: false })}>
            {t('system:firstHide')}
          </Button>
        </div>
        <ol className="mt-4 flex flex-col gap-1">
          {found.steps.map((step) => (
            <StepRow
              key={step.name}
              step={step}
              onOpen={() => onStep(step.name)}
              onPutAway={(isAway) =>
                void save({
                  putAway: isAway ? [...away, step.name] : away.filter((name) => name !== step.name),
                })
              }
            />
          ))}
        </ol>
      </Card>
    </div>
  );
}

type StepRowProps = {
  step: FirstRun['steps'][number];
  onOpen: () => void;
  onPutAway: (isAway: boolean) => void;
};

function StepRow({ step: { name, isDone, isPutAway }, onOpen, onPutAway }: StepRowProps) {
  const { t } = useText();
  const [title, about] = WORDS[name];
  const Icon = isDone ? CircleCheck : isPutAway ? CircleMinus : Circle;
  const state = isDone ? 'system:firstDone' : isPutAway ? 'system:firstSkipped' : 'system:firstToDo';
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
      {!isDone && (
        <div className="flex flex-wrap gap-1">
          <Button
            kind="plain"
            label={t(isPutAway ? 'system:firstBackOf' : 'system:firstSkipOf', { step: t(title) })}
            onPress={() => onPutAway(!isPutAway)}
          >
            {t(isPutAway ? 'system:firstBack' : 'system:firstSkip')}
          </Button>
          {!isPutAway && (
            <Button label={t('system:firstOpenOf', { step: t(title) })} onPress={onOpen}>
              {t('system:firstOpen')}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

const WORDS: Readonly<Record<Step, readonly [TextKey, TextKey]>> = {
  you: ['system:firstYou', 'system:firstYouAbout'],
  district: ['system:firstDistrict', 'system:firstDistrictAbout'],
  school: ['system:firstSchool', 'system:firstSchoolAbout'],
  activities: ['system:firstActivities', 'system:firstActivitiesAbout'],
  access: ['system:firstAccess', 'system:firstAccessAbout'],
  mail: ['system:firstMail', 'system:firstMailAbout'],
  people: ['system:firstPeople', 'system:firstPeopleAbout'],
  backup: ['system:firstBackup', 'system:firstBackupAbout'],
};
