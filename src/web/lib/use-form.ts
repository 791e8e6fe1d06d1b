import { type FormEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import * as z from 'zod/mini';
import type { Message } from '#base/message.ts';
import { baseMessages } from '#base/messages.ts';
import { CallError, failureText } from './call.ts';
import { notify } from './notify.ts';
import { useText } from './text.ts';
import { useUnsaved } from './unsaved.ts';

type Schema = z.core.$ZodType;
/** By the list's name and the row's place in it: 'entries.3'. */
type RowSentences = Readonly<Record<string, string>>;
type Problems<Values> = { [Name in keyof Values]?: Message | undefined };
type Sentences<Values> = { [Name in keyof Values]?: string };

export type FormOptions<S extends Schema, Values> = Readonly<{
  /** The contract's schema of the body. */
  schema: S;
  initial: Values;
  /** Rules that the schema cannot say, such as two fields that must be equal. */
  check?: (values: Values) => Problems<Values>;
  /** Sends what the schema has read. What it throws is shown. */
  send: (input: z.core.output<S>, values: Values) => Promise<void>;
  /** Said when the server gave no words of its own. */
  failed?: Message;
  /** What its owner keeps of it already, such as what could not be sent. */
  kept?: Values | undefined;
  /** What is typed is lost with the form and asked about before (the default), kept by its owner, or no loss. */
  whenLeft?: 'ask' | 'kept' | 'no loss';
}>;

/** What a field wrapper takes: `<TextField label={...} {...form.field('email')} />`. */
export type FieldBinding<Value> = Readonly<{
  name: string;
  value: Value;
  onChange: (value: Value) => void;
  error?: string;
  /** The same sentence already stands under an earlier field: say it to screen readers only. */
  isErrorRepeated?: boolean;
}>;

/**
 * A form on a contract's schema. Faults found here and `fields` answered by the server end up in the same place:
 * under the field, with the focus on the first one and a summary for screen readers.
 */
export function useForm<S extends Schema, Values extends Record<string, unknown>>(
  options: FormOptions<S, Values>,
) {
  const { schema, initial, check, send, failed, kept, whenLeft = 'ask' } = options;
  const { t, say } = useText();
  const [values, setValues] = useState(initial);
  const [saved, setSaved] = useState(initial);
  const [errors, setErrors] = useState<Sentences<Values>>({});
  const [rowErrors, setRowErrors] = useState<RowSentences>({});
  const [message, setMessage] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const isBusy = useRef(false);
  const isChanged = !isSame(values, saved) && (kept === undefined || !isSame(values, kept));
  useUnsaved(isChanged && whenLeft !== 'no loss', { isKept: whenLeft === 'kept' });
  const sentences = [...Object.values(errors), ...Object.values(rowErrors)].filter(
    (sentence) => sentence !== undefined,
  );

  function set<Name extends keyof Values>(name: Name, value: Values[Name]): void {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors(({ [name]: _, ...others }) => others as Sentences<Values>);
    setRowErrors((before) => without(before, String(name)));
    setMessage(undefined);
  }

  function field<Name extends Extract<keyof Values, string>>(name: Name): FieldBinding<Values[Name]> {
    const error = errors[name];
    const isErrorRepeated = earlier(errors, name).includes(error);
    return {
      name,
      value: values[name],
      onChange: (value) => set(name, value),
      ...(error === undefined ? {} : { error, isErrorRepeated }),
    };
  }

  function fail(
    form: HTMLFormElement,
    faults: Sentences<Values>,
    rows: RowSentences,
    sentence: string | undefined,
  ): void {
    // The fields must be marked on the page before the first of them can be found there.
    flushSync(() => {
      setErrors(faults);
      setRowErrors(rows);
      setMessage(sentence);
      setIsSending(false);
    });
    focusFirstFault(form);
  }

  async function onSubmit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isBusy.current) return;
    const form = event.currentTarget;
    const read = z.safeParse(schema, values);
    const faults = {
      ...rendered(check?.(values) ?? {}, say),
      ...faultsOf<Values>(read.error?.issues ?? [], values, say),
    };
    const rows = rowFaultsOf(read.error?.issues ?? [], values, say);
    if (!read.success || Object.keys(faults).length > 0) {
      // A fault that no field of this form owns is said for the form as a whole.
      const first = read.error?.issues[0];
      fail(
        form,
        inOrder(faults, values),
        rows,
        isSomething(faults) || isSomething(rows) ? undefined : say(first?.message ?? ''),
      );
      return;
    }
    isBusy.current = true;
    setIsSending(true);
    setErrors({});
    setRowErrors({});
    setMessage(undefined);
    try {
      await send(read.data, values);
      // Unless it was emptied or filled in anew meanwhile.
      setSaved((now) => (now === saved ? values : now));
      setIsSending(false);
    } catch (error) {
      const named = error instanceof CallError ? knownFields<Values>(error.fields, values) : {};
      const rows = error instanceof CallError ? knownRows(error.fields, values) : {};
      const sentence = failureText(error, failed ?? baseMessages.requestFailed);
      // Whoever went on to another screen meanwhile must hear it too. A session that ended says so by itself.
      const hasEnded = error instanceof CallError && error.status === 401;
      if (!form.isConnected && !hasEnded) notify.failure(sentence);
      fail(form, named, rows, isSomething(named) || isSomething(rows) ? undefined : sentence);
      if (!(error instanceof CallError)) throw error;
    } finally {
      isBusy.current = false;
    }
  }

  return {
    values,
    set,
    field,
    onSubmit,
    isSending,
    /** What is wrong with one row of a field that is a list; the row's place counts from 0. */
    rowError: (name: Extract<keyof Values, string>, at: number): string | undefined =>
      rowErrors[`${name}.${at}`],
    /** A sentence for the form as a whole. */
    message,
    /** Everything that is wrong with the fields, for screen readers. */
    summary:
      sentences.length === 0
        ? undefined
        : t('web:toCorrect', { count: sentences.length, faults: [...new Set(sentences)].join('. ') }),
    setMessage,
    /** Takes away what was said, and with `values` also what was typed. */
    clear(next?: Values): void {
      setErrors({});
      setRowErrors({});
      setMessage(undefined);
      if (next === undefined) return;
      setValues(next);
      setSaved(next);
    },
  } as const;
}

function isSame<Values extends Record<string, unknown>>(some: Values, others: Values): boolean {
  return Object.keys(some).every(
    (name) => some[name] === others[name] || JSON.stringify(some[name]) === JSON.stringify(others[name]),
  );
}

type Say = (message: string) => string;

function rendered<Values>(problems: Problems<Values>, say: Say): Sentences<Values> {
  const found: Sentences<Values> = {};
  for (const name in problems) {
    const message = problems[name];
    if (message !== undefined) found[name] = say(message);
  }
  return found;
}

function faultsOf<Values>(issues: readonly z.core.$ZodIssue[], values: Values, say: Say): Sentences<Values> {
  const found: Record<string, string> = {};
  for (const issue of issues) {
    if (rowOf(issue.path.map(String)) !== undefined) continue;
    const name = String(issue.path[0]);
    if (found[name] === undefined) found[name] = say(issue.message);
  }
  return knownFields(found, values);
}

function rowFaultsOf<Values>(issues: readonly z.core.$ZodIssue[], values: Values, say: Say): RowSentences {
  const named = issues.map((issue) => [issue.path.map(String).join('.'), say(issue.message)] as const);
  return knownRows(Object.fromEntries(named.toReversed()), values);
}

// The server names a row's field 'entries.3.hours', as a schema's path does.
function knownRows<Values>(sentences: Readonly<Record<string, string>>, values: Values): RowSentences {
  const known: Record<string, string> = {};
  for (const [path, sentence] of Object.entries(sentences)) {
    const [name, at] = rowOf(path.split('.')) ?? [];
    if (name !== undefined && name in (values as object)) known[`${name}.${at}`] ??= sentence;
  }
  return known;
}

function rowOf([name, at, ...field]: readonly string[]): readonly [string, string] | undefined {
  return name !== undefined && at !== undefined && field.length > 0 && /^\d+$/.test(at)
    ? [name, at]
    : undefined;
}

function without(rows: RowSentences, name: string): RowSentences {
  return Object.fromEntries(Object.entries(rows).filter(([key]) => !key.startsWith(`${name}.`)));
}

function isSomething(sentences: object): boolean {
  return Object.keys(sentences).length > 0;
}

function knownFields<Values>(sentences: Readonly<Record<string, string>>, values: Values): Sentences<Values> {
  const known: Sentences<Values> = {};
  for (const name in values) {
    const sentence = sentences[name];
    if (sentence !== undefined) known[name] = sentence;
  }
  return known;
}

// In the order of the form, so that a sentence that several fields share stands under the first of them.
function inOrder<Values>(faults: Sentences<Values>, values: Values): Sentences<Values> {
  const ordered: Sentences<Values> = {};
  for (const name in values) {
    if (faults[name] !== undefined) ordered[name] = faults[name];
  }
  return ordered;
}

function earlier<Values>(errors: Sentences<Values>, name: keyof Values): (string | undefined)[] {
  const names = Object.keys(errors) as (keyof Values)[];
  return names.slice(0, Math.max(names.indexOf(name), 0)).map((other) => errors[other]);
}

const FOCUSABLE = 'input, select, textarea, button, [tabindex]';

function focusFirstFault(form: HTMLFormElement): void {
  const fault = form.querySelector<HTMLElement>('[aria-invalid="true"], [data-at-fault]');
  const target = fault?.matches(FOCUSABLE) === true ? fault : fault?.querySelector<HTMLElement>(FOCUSABLE);
  target?.focus();
}
