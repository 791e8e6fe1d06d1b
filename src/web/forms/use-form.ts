import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import type { Message } from '#shared/i18n/message.ts';
import { CallError, failureText } from '../api/call.ts';
import { useTranslation } from '../i18n/translate.ts';
import { notify } from '../ui/toasts.ts';
import { draftOf, useDraft } from './drafts.ts';
import { useUnsaved } from './unsaved-changes.ts';

type Schema = z.core.$ZodType;
/** Errors of list rows, keyed by the list's name and the row's index: 'entries.3'. */
type RowErrors = Readonly<Record<string, string>>;
// Strings are the server's own messages, already translated.
type Problems<Values> = { [Name in keyof Values]?: Message | string | undefined };
type FieldErrors<Values> = { [Name in keyof Values]?: string };

export type FormOptions<S extends Schema, Values> = Readonly<{
  /** The contract's schema for the request body. */
  schema: S;
  initial: Values;
  /** Rules that the schema cannot express, such as two fields that must be equal. */
  check?: (values: Values, form: HTMLFormElement) => Problems<Values>;
  /** Sends the parsed values. An error it throws is shown in the form. */
  send: (input: z.core.output<S>, values: Values) => Promise<void>;
  /** Shown if the server sent no message of its own. */
  failed?: Message;
  /** Unsaved values that the parent component passes in, such as those of an entry that could not be sent. */
  kept?: Values | undefined;
  /**
   * The draft's name, the same wherever the same record is edited. It restores the input after a page reload or the end
   * of a session. Not for passwords.
   */
  draft?: string;
  /**
   * What happens to unsaved input on leaving: 'ask' (the default) asks first, 'kept' means the parent component stores
   * it, 'no loss' never asks.
   */
  whenLeft?: 'ask' | 'kept' | 'no loss';
}>;

/** The props of a field component: `<TextField label={...} {...form.field('email')} />`. */
export type FieldBinding<Value> = Readonly<{
  name: string;
  value: Value;
  onChange: (value: Value) => void;
  error?: string;
  /** An earlier field already shows the same error, so only screen readers get it. */
  isErrorRepeated?: boolean;
}>;

/** Errors of fields, of rows in a list field, and of the form as a whole. */
type FormErrors<Values> = Readonly<{
  fields: FieldErrors<Values>;
  rows: RowErrors;
  message: string | undefined;
}>;

/**
 * A form based on a contract's schema. Client errors and the server's `fields` look the same: under the field, with the
 * focus on the first one and a summary for screen readers. Long because a submission reads from top to bottom.
 */
export function useForm<S extends Schema, Values extends Record<string, unknown>>(
  options: FormOptions<S, Values>,
) {
  const { initial, send, failed } = options;
  const { say } = useTranslation();
  const { startSending, endSending, ...state } = useFormState(initial, options.draft);
  const { markSaved, clear } = useSaved(state, options);
  const isBusy = useRef(false);

  function fail(form: HTMLFormElement, errors: FormErrors<Values>): void {
    // The invalid fields must be marked in the DOM before the first one can be found.
    flushSync(() => endSending(errors));
    focusFirstError(form);
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isBusy.current) return;
    const form = event.currentTarget;
    const filled = withFilled(form, state.values);
    const { input, errors } = readForm(form, filled, options, say);
    if (errors !== undefined) return fail(form, errors);
    isBusy.current = true;
    startSending();
    try {
      await send(input, filled);
      markSaved();
      endSending();
    } catch (error) {
      const message = failureText(error, failed);
      if (!form.isConnected) notifyElsewhere(error, message);
      fail(form, errorsFromReply(error, filled, message));
      if (!(error instanceof CallError)) throw error;
    } finally {
      isBusy.current = false;
    }
  }

  return { ...state, ...useSummary(state.errors), onSubmit, clear } as const;
}

// Tracks whether there are unsaved values, so leaving can ask before they are lost.
function useSaved<Values extends Record<string, unknown>>(
  { values, clear }: Pick<ReturnType<typeof useFormState<Values>>, 'values' | 'clear'>,
  {
    initial,
    kept,
    draft,
    whenLeft = 'ask',
  }: Pick<FormOptions<Schema, Values>, 'initial' | 'kept' | 'draft' | 'whenLeft'>,
) {
  const [saved, setSaved] = useState(initial);
  const isChanged = !isSame(values, saved) && (kept === undefined || !isSame(values, kept));
  useDraft(draft, isChanged ? values : undefined);
  useUnsaved(isChanged && whenLeft !== 'no loss', { isKept: whenLeft === 'kept' });
  return {
    /** Marks the sent values as saved, unless the form was cleared or refilled meanwhile. */
    markSaved: () => setSaved((now) => (now === saved ? values : now)),
    /** Clears the messages, and with `next` also replaces the values. */
    clear(next?: Values): void {
      clear(next);
      if (next !== undefined) setSaved(next);
    },
  };
}

// Only fields the form still has, because the draft may come from an older version of the page.
function withDraft<Values extends Record<string, unknown>>(
  initial: Values,
  draft: string | undefined,
): Values {
  const typed = draft === undefined ? undefined : draftOf<Values>(draft);
  if (typed === undefined) return initial;
  return { ...initial, ...Object.fromEntries(Object.entries(typed).filter(([name]) => name in initial)) };
}

function isSame<Values extends Record<string, unknown>>(some: Values, others: Values): boolean {
  return Object.keys(some).every(
    (name) => some[name] === others[name] || JSON.stringify(some[name]) === JSON.stringify(others[name]),
  );
}

// A user who has moved to another screen must see the error too. The end of a session is reported elsewhere.
function notifyElsewhere(error: unknown, message: string): void {
  const hasEnded = error instanceof CallError && error.status === 401;
  if (!hasEnded) notify.failure(message);
}

// The typed values, their errors, and whether they are being sent.
function useFormState<Values extends Record<string, unknown>>(initial: Values, draft?: string) {
  const [values, setValues] = useState(() => withDraft(initial, draft));
  const [errors, setErrors] = useState<FormErrors<Values>>(noErrors);
  const [isSending, setIsSending] = useState(false);

  function set<Name extends keyof Values>(name: Name, value: Values[Name]): void {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors((before) => withoutErrorsOf(name, before));
  }

  return {
    values,
    errors,
    isSending,
    set,
    field: <Name extends Extract<keyof Values, string>>(name: Name): FieldBinding<Values[Name]> => ({
      name,
      value: values[name],
      onChange: (value) => set(name, value),
      ...errorOf(errors.fields, name),
    }),
    /** The error of one row in a list field; rows count from 0. */
    rowError: (name: Extract<keyof Values, string>, at: number): string | undefined =>
      errors.rows[`${name}.${at}`],
    setMessage: (message: string | undefined) => setErrors((before) => ({ ...before, message })),
    clear(next?: Values): void {
      setErrors(noErrors());
      if (next !== undefined) setValues(next);
    },
    startSending(): void {
      setErrors(noErrors());
      setIsSending(true);
    },
    endSending(found?: FormErrors<Values>): void {
      if (found !== undefined) setErrors(found);
      setIsSending(false);
    },
  };
}

function useSummary<Values>({ fields, rows, message }: FormErrors<Values>) {
  const { t } = useTranslation();
  const messages = [...Object.values<string | undefined>(fields), ...Object.values(rows)];
  return {
    /** A message for the form as a whole. */
    message,
    /** All field errors, for screen readers. */
    summary:
      messages.length === 0
        ? undefined
        : t('web:toCorrect', { count: messages.length, faults: [...new Set(messages)].join('. ') }),
  };
}

function readForm<S extends Schema, Values extends Record<string, unknown>>(
  form: HTMLFormElement,
  values: Values,
  { schema, check }: Pick<FormOptions<S, Values>, 'schema' | 'check'>,
  say: Say,
): Read<z.core.output<S>, Values> {
  const checked = translated(check?.(values, form) ?? {}, say);
  return withUnread(form, values, readValues(schema, values, checked, say));
}

type Read<Input, Values> =
  | { input: Input; errors: undefined }
  | { input: undefined; errors: FormErrors<Values> };

// `checked` holds rules the schema can't express. If both find an error in a field, the schema's wins.
function readValues<S extends Schema, Values>(
  schema: S,
  values: Values,
  checked: FieldErrors<Values>,
  say: Say,
): Read<z.core.output<S>, Values> {
  const read = z.safeParse(schema, values);
  const issues = read.error?.issues ?? [];
  const fields = { ...checked, ...fieldErrorsOf<Values>(issues, values, say) };
  if (read.success && !hasEntries(fields)) return { input: read.data, errors: undefined };
  const rows = rowErrorsOf(issues, values, say);
  // An error that belongs to no field is shown for the whole form.
  const message = hasEntries(fields) || hasEntries(rows) ? undefined : say(issues[0]?.message ?? '');
  return { input: undefined, errors: { fields: inOrder(fields, values), rows, message } };
}

// Some browsers fill in a password without firing an event.
function withFilled<Values extends Record<string, unknown>>(form: HTMLFormElement, values: Values): Values {
  const filled = [...form.elements].flatMap((field) =>
    field instanceof HTMLInputElement &&
    ['text', 'email', 'password'].includes(field.type) &&
    values[field.name] === ''
      ? [[field.name, field.value]]
      : [],
  );
  return filled.length === 0 ? values : { ...values, ...Object.fromEntries(filled) };
}

// A field with unreadable text has reported that to the browser. Show that reason instead of "required".
function withUnread<Input, Values>(
  form: HTMLFormElement,
  values: Values,
  read: Read<Input, Values>,
): Read<Input, Values> {
  const unread = [...form.elements].filter(
    (field): field is HTMLInputElement => field instanceof HTMLInputElement && field.validity.customError,
  );
  const [first] = unread;
  if (first === undefined) return read;
  const known = knownFields<Values>(
    Object.fromEntries(unread.map(({ name, validationMessage }) => [name, validationMessage])),
    values,
  );
  const fields = inOrder({ ...read.errors?.fields, ...known }, values);
  const message = hasEntries(fields) ? undefined : first.validationMessage;
  return { input: undefined, errors: { fields, rows: read.errors?.rows ?? {}, message } };
}

// Shows the server's errors under fields the form has, and anything else for the whole form.
function errorsFromReply<Values>(error: unknown, values: Values, message: string): FormErrors<Values> {
  const named = error instanceof CallError ? error.fields : {};
  const fields = knownFields<Values>(named, values);
  const rows = knownRows(named, values);
  return { fields, rows, message: hasEntries(fields) || hasEntries(rows) ? undefined : message };
}

const noErrors = <Values>(): FormErrors<Values> => ({ fields: {}, rows: {}, message: undefined });

type Say = (message: Message | string, otherwise?: string) => string;

function translated<Values>(problems: Problems<Values>, say: Say): FieldErrors<Values> {
  const found: FieldErrors<Values> = {};
  for (const name in problems) {
    const message = problems[name];
    if (message !== undefined) found[name] = say(message, message);
  }
  return found;
}

function fieldErrorsOf<Values>(
  issues: readonly z.core.$ZodIssue[],
  values: Values,
  say: Say,
): FieldErrors<Values> {
  const found: Record<string, string> = {};
  for (const issue of issues) {
    if (rowOf(issue.path.map(String)) !== undefined) continue;
    const name = String(issue.path[0]);
    if (found[name] === undefined) found[name] = say(issue.message);
  }
  return knownFields(found, values);
}

function rowErrorsOf<Values>(issues: readonly z.core.$ZodIssue[], values: Values, say: Say): RowErrors {
  const named = issues.map((issue) => [issue.path.map(String).join('.'), say(issue.message)] as const);
  return knownRows(Object.fromEntries(named.toReversed()), values);
}

// The server names a row's field 'entries.3.hours', like the path in a schema error.
function knownRows<Values>(messages: Readonly<Record<string, string>>, values: Values): RowErrors {
  const known: Record<string, string> = {};
  for (const [path, message] of Object.entries(messages)) {
    const [name, at] = rowOf(path.split('.')) ?? [];
    if (name !== undefined && name in (values as object)) known[`${name}.${at}`] ??= message;
  }
  return known;
}

function rowOf([name, at, ...field]: readonly string[]): readonly [string, string] | undefined {
  return name !== undefined && at !== undefined && field.length > 0 && /^\d+$/.test(at)
    ? [name, at]
    : undefined;
}

function withoutErrorsOf<Values>(
  name: keyof Values,
  { fields, rows }: FormErrors<Values>,
): FormErrors<Values> {
  const { [name]: _, ...others } = fields;
  return { fields: others as FieldErrors<Values>, rows: without(rows, String(name)), message: undefined };
}

function without(rows: RowErrors, name: string): RowErrors {
  return Object.fromEntries(Object.entries(rows).filter(([key]) => !key.startsWith(`${name}.`)));
}

function hasEntries(messages: object): boolean {
  return Object.keys(messages).length > 0;
}

function knownFields<Values>(
  messages: Readonly<Record<string, string>>,
  values: Values,
): FieldErrors<Values> {
  const known: FieldErrors<Values> = {};
  for (const name in values) {
    const message = messages[name];
    if (message !== undefined) known[name] = message;
  }
  return known;
}

// Sorts the errors in form order, so an error shared by several fields appears under the first one.
function inOrder<Values>(errors: FieldErrors<Values>, values: Values): FieldErrors<Values> {
  const ordered: FieldErrors<Values> = {};
  for (const name in values) {
    if (errors[name] !== undefined) ordered[name] = errors[name];
  }
  return ordered;
}

function errorOf<Values>(errors: FieldErrors<Values>, name: keyof Values) {
  const error = errors[name];
  return error === undefined ? {} : { error, isErrorRepeated: errorsBefore(errors, name).includes(error) };
}

function errorsBefore<Values>(errors: FieldErrors<Values>, name: keyof Values): (string | undefined)[] {
  const names = Object.keys(errors) as (keyof Values)[];
  return names.slice(0, Math.max(names.indexOf(name), 0)).map((other) => errors[other]);
}

const FOCUSABLE = 'input, select, textarea, button, [tabindex]';

function focusFirstError(form: HTMLFormElement): void {
  const invalid = form.querySelector<HTMLElement>('[aria-invalid="true"], [data-at-fault]');
  const target =
    invalid?.matches(FOCUSABLE) === true ? invalid : invalid?.querySelector<HTMLElement>(FOCUSABLE);
  target?.focus();
}
