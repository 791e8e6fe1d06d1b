import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type RefObject, useState } from 'react';
import { endedOn } from '#features/activities/activity-groups.ts';
import type { Activity } from '#features/activities/contract.ts';
import {
  addDays,
  type CalendarDate,
  formatDay,
  formatDayShort,
  isCalendarDate,
} from '#shared/calendar-date.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { formatHours, type Hours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { CallError } from '#web/api/call.ts';
import { useDraft } from '#web/forms/drafts.ts';
import { type FieldBinding, useForm } from '#web/forms/use-form.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { ChoiceButtons } from '#web/ui/choice-buttons.tsx';
import { FormMessage, Notice } from '#web/ui/notice.tsx';
import { createTimeEntry, sumExistingHours, type TimeEntry } from '../contract.ts';
import { daysProblem, logDays, MultipleDaysForm } from '../multiple-days/web/multiple-days-form.tsx';
import { useLogHours } from './api.ts';
import type { ClosedDayReason } from './closed-periods.ts';
import { DayField, entryProblems, HoursField, NotesField } from './entry-form-fields.tsx';
import { LOG_DRAFT, logHandler, withLogMessage } from './log-hours-handler.ts';
import type * as VerifiedLogging from './log-time-verification.tsx';
import type { LoggedDays } from './logged-confirmation.tsx';
import { readRememberedVerifier, rememberVerifier } from './remembered-verifier.ts';

/** The typed values of an entry, which the form can restore if they could not be sent. */
export type Draft = Readonly<{
  activityId: number;
  schoolId: number;
  hours: Hours | undefined;
  entryDate: string | null;
  notes: string;
  /** The days, where several are logged at once. */
  dates?: readonly string[] | undefined;
  /** The external verifier of the hours, if the activity asks for one. */
  outsideVerifier?: string | undefined;
}>;

type LogTimeFormProps = {
  userId: Id;
  activity: Activity;
  today: CalendarDate;
  /** The hours this volunteer usually logs for this activity; suggested, not preselected. */
  usual: Hours | undefined;
  /** The initial hours, if they were chosen before the form opened. */
  startHours?: Hours | undefined;
  /** The user's entries loaded so far. */
  own: readonly TimeEntry[];
  /** The additional parts for schools that verify hours or activities with an external verifier. */
  verified?: typeof VerifiedLogging | undefined;
  /** Returns why hours of a day cannot be logged, if so. */
  closedOn?: ClosedDayReason | undefined;
  /** An entry that did not reach the server. */
  unsent: Draft | undefined;
  onUnsent: (draft: Draft) => void;
  onLogged: (entry: TimeEntry, message: string, several?: LoggedDays) => void;
  /** Called when the hours are queued on this device until there is a connection. */
  onQueued: () => void;
  /** The mounted form, which the parent component submits with a keyboard shortcut. */
  formRef: RefObject<HTMLFormElement | null>;
};

const PRESETS: readonly Hours[] = [0.5, 1, 1.5, 2, 3];
const OTHER = 'other';

/** Asks for the hours. One tap chooses them, another logs them. */
export function LogTimeForm(props: LogTimeFormProps) {
  const {
    userId,
    activity,
    today,
    usual,
    own,
    verified,
    closedOn,
    unsent,
    onUnsent,
    onLogged,
    onQueued,
    formRef,
  } = props;
  const text = useTranslation();
  const { t } = text;
  const log = useLogHours();
  // For an event that is over, the day of the event is the most likely one.
  const eventDay = endedOn(activity, today);
  const first: Draft = unsent ?? {
    activityId: activity.id,
    schoolId: activity.schoolId,
    hours: props.startHours,
    entryDate: eventDay ?? null,
    notes: '',
    outsideVerifier: readRememberedVerifier(userId, activity.id),
  };
  const days = useDays(today, first, eventDay);
  const several = useMultipleDays(days.chosen === 'several');
  const form = useForm({
    schema: createTimeEntry.parts.body,
    initial: first,
    kept: unsent,
    check: (values, form) => ({
      ...several.problems(values),
      ...entryProblems(values, { activity, today, closedOn, form }),
    }),
    send: async (body, values) => {
      const form = formRef.current;
      try {
        if (several.isOn) onLogged(...(await several.log(body, values)));
        else {
          const reply = await log.mutateAsync({ body, activity, today, own });
          if (reply === 'queued') onQueued();
          else onLogged(reply.timeEntry, reply.message);
        }
        if (values.outsideVerifier) rememberVerifier(userId, activity.id, values.outsideVerifier);
      } catch (error) {
        const hasNoAnswer = error instanceof CallError && error.status === 0;
        // If the user has left the form, it has the entry again on return, whatever the error was.
        if (hasNoAnswer || formRef.current !== form) onUnsent(values);
        throw hasNoAnswer ? withLogMessage(error) : error;
      }
    },
  });
  const { hours, notes } = form.values;
  useDraft(LOG_DRAFT, hours !== undefined || notes !== '' ? form.values : undefined);
  const presets = presetsWith(usual);
  const [isOther, setIsOther] = useState(first.hours !== undefined && !presets.includes(first.hours));
  const [hasNote, setHasNote] = useState(first.notes !== '');
  // This form has no activity field, so an error of that field is shown for the whole form.
  const hiddenError = form.field('activityId').error;
  // The suggested hours have the focus, so that the next key applies to them and Enter chooses them.
  const [focused] = useState(() => presets.find((preset) => preset === (first.hours ?? usual)) ?? presets[0]);

  const already = useExtraHoursQuestion({
    activity,
    today,
    own,
    verified,
    ...form.values,
    isSeveral: several.isOn,
    isRetry: unsent !== undefined,
  });

  return (
    <form ref={formRef} onSubmit={already.before(form.onSubmit)} noValidate className="flex flex-col gap-4">
      <HowLong {...{ presets, usual, focused, isOther, onOther: setIsOther }} field={form.field('hours')} />
      <WhichDays {...{ days, several, form, today, own, closedOn }} />
      {(hasNote || activity.requiresDescription) && (
        <NotesField activity={activity} field={form.field('notes')} />
      )}
      {verified !== undefined && (
        <verified.ExternalVerifierField
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
        {several.textOf(form.values, text) ?? logText(hours, already.isAsked && already.hours > 0, text)}
      </Button>
      {!hasNote && !activity.requiresDescription && (
        <div className="-mt-2 flex justify-center">
          <LinkButton onPress={() => setHasNote(true)}>{t('time-entries:addNote')}</LinkButton>
        </div>
      )}
    </form>
  );
}

// After a 409 about days that need confirmation, the next press sends them again as confirmed.
function useMultipleDays(isOn: boolean) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [confirmed, setConfirmed] = useState<string>();
  return {
    isOn,
    problems: ({ dates = [] }: Draft) => {
      const problem = daysProblem(dates);
      return isOn && problem !== undefined ? { dates: problem } : {};
    },
    textOf: ({ hours, dates = [] }: Draft, { language }: Text) => {
      if (!isOn || hours === undefined || dates.length === 0) return undefined;
      if (confirmed === `${hours} ${dates}`) return t('time-entries:logAnyway');
      return t('time-entries:logOnDays', { hours: formatHours(hours, language), count: dates.length });
    },
    log: async ({ entryDate: _, ...body }: BodyOf<typeof createTimeEntry>, { hours, dates = [] }: Draft) => {
      const now = `${hours} ${dates}`;
      try {
        return await logDays(client, {
          ...body,
          dates: dates.filter(isCalendarDate),
          isSure: confirmed === now,
        });
      } catch (error) {
        if (error instanceof CallError && error.status === 409) setConfirmed(now);
        throw error;
      }
    },
  };
}

type HowLongProps = {
  presets: readonly Hours[];
  usual: Hours | undefined;
  focused: Hours | undefined;
  /** Whether the hours are not one of the presets. */
  isOther: boolean;
  onOther: (isOther: boolean) => void;
  field: FieldBinding<Hours | undefined>;
};

function HowLong({ presets, usual, focused, isOther, onOther, field }: HowLongProps) {
  const { t, language } = useTranslation();
  return (
    <>
      <ChoiceButtons
        label={t('time-entries:howLong')}
        name="preset"
        focused={String(focused)}
        value={isOther ? OTHER : field.value === undefined ? undefined : String(field.value)}
        onChange={(value) => {
          onOther(value === OTHER);
          field.onChange(value === OTHER ? undefined : Number(value));
        }}
        error={isOther ? undefined : field.error}
        choices={[
          ...presets.map((preset) => ({
            value: String(preset),
            text: t('time-entries:shortHours', { hours: formatHours(preset, language) }),
            ...(preset === usual ? { hint: t('time-entries:usual') } : {}),
          })),
          { value: OTHER, text: t('time-entries:other') },
        ]}
      />
      {isOther && <HoursField field={field} />}
    </>
  );
}

type WhichDaysProps = Pick<LogTimeFormProps, 'today' | 'own' | 'closedOn'> & {
  days: ReturnType<typeof useDays>;
  several: ReturnType<typeof useMultipleDays>;
  form: Pick<
    ReturnType<typeof useForm<typeof createTimeEntry.parts.body, Draft>>,
    'values' | 'set' | 'field' | 'rowError'
  >;
};

function WhichDays({ days, several, form, today, own, closedOn }: WhichDaysProps) {
  function switchTo(chosen: 'today' | 'several') {
    days.setChosen(chosen);
    form.set('dates', []);
  }
  return several.isOn ? (
    <MultipleDaysForm
      dates={form.values.dates ?? []}
      onDates={(dates) => form.set('dates', dates)}
      {...{ today, own, closedOn }}
      error={form.field('dates').error}
      errorAt={(at) => form.rowError('dates', at)}
      onOneDay={() => switchTo('today')}
    />
  ) : (
    <DayChoice
      days={days}
      today={today}
      field={form.field('entryDate')}
      onSeveral={() => switchTo('several')}
    />
  );
}

function presetsWith(usual: Hours | undefined): readonly Hours[] {
  if (usual === undefined || PRESETS.includes(usual)) return PRESETS;
  return [...PRESETS, usual].toSorted((a, b) => a - b);
}

type DayChosen = 'today' | 'yesterday' | 'event' | 'other' | 'several';

// Today is sent as null, because the server knows the current day, also after midnight.
function useDays(today: CalendarDate, { entryDate, dates = [] }: Draft, eventDay: CalendarDate | undefined) {
  const yesterday = addDays(today, -1);
  const [chosen, setChosen] = useState<DayChosen>(
    dates.length > 0
      ? 'several'
      : entryDate === null
        ? 'today'
        : entryDate === eventDay
          ? 'event'
          : entryDate === yesterday
            ? 'yesterday'
            : 'other',
  );
  const dateOf = { today: null, yesterday, event: eventDay ?? null, other: null, several: null };
  return { chosen, setChosen, eventDay, dateOf };
}

type DayChoiceProps = {
  days: ReturnType<typeof useDays>;
  today: CalendarDate;
  field: FieldBinding<string | null>;
  onSeveral: () => void;
};

function DayChoice({ days, today, field, onSeveral }: DayChoiceProps) {
  const { chosen, setChosen, eventDay, dateOf } = days;
  const { t, language } = useTranslation();
  function choose(value: string) {
    const next = value as DayChosen;
    setChosen(next);
    field.onChange(dateOf[next]);
  }
  return (
    <div className="relative flex flex-col gap-2">
      <ChoiceButtons
        label={t('time-entries:dayField')}
        name="day"
        value={chosen}
        onChange={choose}
        error={chosen === 'other' ? undefined : field.error}
        isLight
        choices={[
          ...(eventDay === undefined
            ? []
            : [
                {
                  value: 'event',
                  text: t('time-entries:eventDay', { day: formatDayShort(eventDay, language) }),
                },
              ]),
          { value: 'today', text: t('time-entries:today') },
          ...(eventDay === undefined ? [{ value: 'yesterday', text: t('time-entries:yesterday') }] : []),
          { value: 'other', text: t('time-entries:otherDay') },
        ]}
      />
      {chosen === 'other' && <DayField today={today} field={field} />}
      <div className="absolute -top-2.5 right-0">
        <LinkButton
          onPress={() => {
            field.onChange(null);
            onSeveral();
          }}
        >
          {t('time-entries:severalDays')}
        </LinkButton>
      </div>
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
  const values = { count: hours, hours: formatHours(hours, language) };
  return isMore ? t('time-entries:logMore', values) : t('time-entries:log', values);
}

type ExtraHoursCheck = Pick<LogTimeFormProps, 'activity' | 'today' | 'own' | 'verified'> &
  Pick<Draft, 'hours' | 'entryDate' | 'dates'> & {
    isSeveral: boolean;
    /** A retry after a request without an answer. The entry is stored once, even if the first request arrived. */
    isRetry: boolean;
  };

/**
 * Asks once before more hours are added for the same activity and day, and about unusual hours. A change of hours or
 * day asks again.
 */
function useExtraHoursQuestion(adding: ExtraHoursCheck) {
  const { activity, today, own, verified, hours, entryDate, isSeveral, isRetry } = adding;
  const dates = adding.dates?.filter(isCalendarDate) ?? [];
  const text = useTranslation();
  const { t, language } = text;
  const [asked, setAsked] = useState<string>();
  const date = entryDate !== null && isCalendarDate(entryDate) ? entryDate : today;
  const at = { activityId: activity.id, entryDate: date };
  const already = isSeveral ? 0 : sumExistingHours([...own, ...logHandler.waiting()], at);
  const now = isSeveral ? `${hours} ${dates}` : `${hours} ${date}`;
  const values = {
    activity: activity.name,
    already: formatHours(already, language),
    hours: formatHours(hours ?? 0, language),
  };
  const about = { activity, hours: hours ?? 0, today, own };
  const unusual =
    (isSeveral
      ? verified?.findUnusualDays({ ...about, dates }, text)
      : verified?.findUnusualHours({ ...about, date, already }, text)) ?? '';
  const more =
    date === today
      ? t('time-entries:alreadyToday', values)
      : t('time-entries:alreadyOn', { ...values, date: formatDay(date, language) });
  return {
    isAsked: asked === now,
    hours: already,
    question: already === 0 ? unusual : `${unusual} ${more}`.trim(),
    before:
      (send: (event: FormEvent<HTMLFormElement>) => Promise<void>) => (event: FormEvent<HTMLFormElement>) => {
        const isOrdinary = already === 0 && unusual === '';
        if (isOrdinary || hours === undefined || isRetry || asked === now) return void send(event);
        event.preventDefault();
        setAsked(now);
      },
  };
}
