import { type FormEvent, type RefObject, useState } from 'react';
import { addDays, type CalendarDate, formatDay, isCalendarDate } from '#base/calendar-date.ts';
import { formatHours, type Hours } from '#base/hours.ts';
import type { Id } from '#base/id.ts';
import type { Activity } from '#rooms/activities/contract.ts';
import { CallError } from '#web/lib/call.ts';
import { type Text, useText } from '#web/lib/text.ts';
import { type FieldBinding, useForm } from '#web/lib/use-form.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { ChoiceButtons } from '#web/ui/choice-buttons.tsx';
import { FormMessage, Notice } from '#web/ui/notice.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { createTimeEntry, HOURS, hoursAlready, messages, type TimeEntry } from '../contract.ts';
import { useLogHours } from './api.ts';
import type { ClosedOn } from './closed-days.ts';
import { DayField, entryProblems, NotesField } from './entry-fields.tsx';
import { namedVerifier, rememberVerifier } from './named-verifier.ts';
import type * as VerifiedLogging from './verified-logging.ts';

/** The typed values of an entry; kept when they could not be sent. */
export type Draft = Readonly<{
  activityId: number;
  schoolId: number;
  hours: Hours | undefined;
  entryDate: string | null;
  notes: string;
  /** The supervisor who confirms the hours, where the activity asks for one. */
  outsideVerifier?: string | undefined;
}>;

type LogTimeFormProps = {
  userId: Id;
  activity: Activity;
  today: CalendarDate;
  /** The hours this person usually logs for this activity: suggested, not preselected. */
  usual: Hours | undefined;
  /** The hours to begin with, when they were chosen before the form opened. */
  startHours?: Hours | undefined;
  /** The person's entries loaded so far. */
  own: readonly TimeEntry[];
  /** What is added where the school verifies hours, or somebody outside does. */
  verified?: typeof VerifiedLogging | undefined;
  /** Why hours of a day cannot be logged here, if so. */
  closedOn?: ClosedOn | undefined;
  /** An entry that did not reach the server. */
  unsent: Draft | undefined;
  onUnsent: (draft: Draft) => void;
  onLogged: (entry: TimeEntry, message: string) => void;
  /** Refers to the form while it is mounted; its owner submits it with a keyboard shortcut. */
  formRef: RefObject<HTMLFormElement | null>;
};

const PRESETS: readonly Hours[] = [0.5, 1, 1.5, 2, 3];
const OTHER = 'other';

/** How long? One tap chooses the hours, one more logs them. */
export function LogTimeForm(props: LogTimeFormProps) {
  const { userId, activity, today, usual, own, verified, closedOn, unsent, onUnsent, onLogged, formRef } =
    props;
  const text = useText();
  const { t, say, language } = text;
  const defaultPrompt = say(messages.defaultPrompt);
  const log = useLogHours();
  const first: Draft = unsent ?? {
    activityId: activity.id,
    schoolId: activity.schoolId,
    hours: props.startHours,
    entryDate: null,
    notes: '',
    outsideVerifier: namedVerifier(userId, activity.id),
  };
  const days = useDays(today, first.entryDate);
  const form = useForm({
    schema: createTimeEntry.parts.body,
    initial: first,
    kept: unsent,
    check: (values, form) => ({
      ...(days.chosen === 'other' && values.entryDate === null
        ? { entryDate: t('time-entries:chooseDay') }
        : {}),
      ...entryProblems(values, { activity, today, closedOn, defaultPrompt, form }),
    }),
    send: async (body, values) => {
      const form = formRef.current;
      try {
        const { timeEntry, message } = await log.mutateAsync(body);
        if (values.outsideVerifier) rememberVerifier(userId, activity.id, values.outsideVerifier);
        onLogged(timeEntry, message);
      } catch (error) {
        const hasNoAnswer = error instanceof CallError && error.status === 0;
        // Somebody who has left the form finds the entry in it on return, whatever the failure was.
        if (hasNoAnswer || formRef.current !== form) onUnsent(values);
        if (!hasNoAnswer) throw error;
        throw new CallError(0, t('time-entries:notSent'), true);
      }
    },
  });
  const { hours } = form.values;
  const presets = presetsWith(usual);
  const [isOther, setIsOther] = useState(first.hours !== undefined && !presets.includes(first.hours));
  const [hasNote, setHasNote] = useState(first.notes !== '');
  const hoursError = form.field('hours').error;
  // An error without a field in this form is shown for the form as a whole.
  const hiddenError = form.field('activityId').error;
  // The suggested hours have the focus, so that the next key applies to them and Enter chooses them.
  const [focused] = useState(() => presets.find((preset) => preset === (first.hours ?? usual)) ?? presets[0]);

  const already = useAlready({
    activity,
    today,
    own,
    verified,
    ...form.values,
    isRetry: unsent !== undefined,
  });

  function choose(value: string) {
    setIsOther(value === OTHER);
    form.set('hours', value === OTHER ? undefined : Number(value));
  }

  return (
    <form ref={formRef} onSubmit={already.before(form.onSubmit)} noValidate className="flex flex-col gap-4">
      <ChoiceButtons
        label={t('time-entries:howLong')}
        name="preset"
        focused={String(focused)}
        value={isOther ? OTHER : hours === undefined ? undefined : String(hours)}
        onChange={choose}
        error={isOther ? undefined : hoursError}
        choices={[
          ...presets.map((preset) => ({
            value: String(preset),
            text: t('time-entries:shortHours', { hours: formatHours(preset, language) }),
            ...(preset === usual ? { hint: t('time-entries:usual') } : {}),
          })),
          { value: OTHER, text: t('time-entries:other') },
        ]}
      />
      {isOther && (
        <NumberField {...form.field('hours')} label={t('time-entries:hoursField')} {...HOURS} isRequired />
      )}
      <DayChoice days={days} today={today} field={form.field('entryDate')} />
      {(hasNote || activity.requiresDescription) && (
        <NotesField activity={activity} field={form.field('notes')} />
      )}
      {verified !== undefined && (
        <verified.SupervisorField
          field={form.field('outsideVerifier')}
          remembered={first.outsideVerifier}
          activity={activity}
          own={own}
        />
      )}
      <FormMessage
        message={form.message ?? hiddenError}
        summary={hiddenError === undefined ? form.summary : undefined}
      />
      <Question text={already.isAsked ? already.question : undefined} />
      <Button
        kind="primary"
        type="submit"
        isWide
        isBusy={form.isSending}
        busyText={t('time-entries:logging')}
      >
        {logText(hours, already.isAsked && already.hours > 0, text)}
      </Button>
      {!hasNote && !activity.requiresDescription && (
        <div className="-mt-2 flex justify-center">
          <LinkButton onPress={() => setHasNote(true)}>{t('time-entries:addNote')}</LinkButton>
        </div>
      )}
    </form>
  );
}

function presetsWith(usual: Hours | undefined): readonly Hours[] {
  if (usual === undefined || PRESETS.includes(usual)) return PRESETS;
  return [...PRESETS, usual].toSorted((a, b) => a - b);
}

type DayChosen = 'today' | 'yesterday' | 'other';

// Today is no date at all: the server knows its own, also after midnight.
function useDays(today: CalendarDate, first: string | null) {
  const yesterday = addDays(today, -1);
  const [chosen, setChosen] = useState<DayChosen>(
    first === null ? 'today' : first === yesterday ? 'yesterday' : 'other',
  );
  return { chosen, setChosen, dateOf: { today: null, yesterday, other: null } };
}

type DayChoiceProps = {
  days: ReturnType<typeof useDays>;
  today: CalendarDate;
  field: FieldBinding<string | null>;
};

function DayChoice({ days: { chosen, setChosen, dateOf }, today, field }: DayChoiceProps) {
  const { t } = useText();
  function choose(value: string) {
    const next = value as DayChosen;
    setChosen(next);
    field.onChange(dateOf[next]);
  }
  return (
    <div className="flex flex-col gap-2">
      <ChoiceButtons
        label={t('time-entries:dayField')}
        name="day"
        value={chosen}
        onChange={choose}
        error={chosen === 'other' ? undefined : field.error}
        isLight
        choices={[
          { value: 'today', text: t('time-entries:today') },
          { value: 'yesterday', text: t('time-entries:yesterday') },
          { value: 'other', text: t('time-entries:otherDay') },
        ]}
      />
      {chosen === 'other' && <DayField today={today} field={field} isRequired />}
    </div>
  );
}

function Question({ text }: { text: string | undefined }) {
  return (
    <div role="status" className="not-has-[p]:-mt-4">
      {text !== undefined && (
        <Notice>
          <p>{text}</p>
        </Notice>
      )}
    </div>
  );
}

function logText(hours: Hours | undefined, isMore: boolean, { t, language }: Text): string {
  if (hours === undefined) return t('time-entries:logHours');
  const words = { count: hours, hours: formatHours(hours, language) };
  return isMore ? t('time-entries:logMore', words) : t('time-entries:log', words);
}

type Adding = Pick<LogTimeFormProps, 'activity' | 'today' | 'own' | 'verified'> &
  Pick<Draft, 'hours' | 'entryDate'> & {
    /** A retry after no answer came: the entry is stored once, even if the first request arrived. */
    isRetry: boolean;
  };

/**
 * Asks once before more hours are added for the same activity and day, or odd ones; a change of hours or day asks again.
 */
function useAlready({ activity, today, own, verified, hours, entryDate, isRetry }: Adding) {
  const text = useText();
  const { t, language } = text;
  const [asked, setAsked] = useState<string>();
  const date = entryDate !== null && isCalendarDate(entryDate) ? entryDate : today;
  const already = hoursAlready(own, { activityId: activity.id, entryDate: date });
  const adding = `${hours} ${date}`;
  const words = {
    activity: activity.name,
    already: formatHours(already, language),
    hours: formatHours(hours ?? 0, language),
  };
  const about = { activity, hours: hours ?? 0, date, today, own, already };
  const oddly = verified?.oddities(about, text) ?? '';
  const more =
    date === today
      ? t('time-entries:alreadyToday', words)
      : t('time-entries:alreadyOn', { ...words, date: formatDay(date, language) });
  return {
    isAsked: asked === adding,
    hours: already,
    question: already === 0 ? oddly : `${oddly} ${more}`.trim(),
    before:
      (send: (event: FormEvent<HTMLFormElement>) => Promise<void>) => (event: FormEvent<HTMLFormElement>) => {
        const isOrdinary = already === 0 && oddly === '';
        if (isOrdinary || hours === undefined || isRetry || asked === adding) return void send(event);
        event.preventDefault();
        setAsked(adding);
      },
  };
}
