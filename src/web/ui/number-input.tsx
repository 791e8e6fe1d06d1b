import { type KeyboardEvent, type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { typedHours } from '#shared/hours.ts';
import { readNumber } from '#shared/i18n/number-format.ts';
import { useTranslation } from '../i18n/translate.ts';

export type NumberLimits = {
  min: number;
  max: number;
  step: number;
  /** Also accepts '1:30', '1h 30m' and '½'. */
  isHours?: boolean;
};

type NumberInputProps = NumberLimits & {
  ref?: Ref<{ stepBy: (direction: 1 | -1) => void }>;
  id?: string;
  name?: string;
  label?: string;
  className: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  /** Called when the field is left with unreadable text, or when its text becomes readable. */
  onProblem: (problem: string | undefined) => void;
  isRequired?: boolean | undefined;
  isInvalid: boolean;
  describedBy?: string | undefined;
  onKeyDown?: (event: KeyboardEvent) => void;
};

/**
 * The input of a number. It is a text field, because a browser's number field drops unknown characters and turns '0,5'
 * into 5. Unreadable text counts as no number, and the form rejects it.
 */
export function NumberInput(props: NumberInputProps) {
  const { ref, value, onChange, onProblem, min, max, step, isHours = false } = props;
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const read = isHours ? typedHours : readNumber;
  // Keeps the typed text as long as it means the same value.
  const text = read(typed) === value ? typed : value === undefined ? '' : String(value);
  const problem =
    text.trim() === '' || read(text) !== undefined
      ? undefined
      : t(isHours ? 'web:noHours' : 'web:noNumber', { text: text.trim().slice(0, 20) });
  useLayoutEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem]);
  function stepBy(direction: 1 | -1): void {
    // Steps from a value between two steps to the next one: 1.3 goes up to 1.5 and down to 1.25.
    const steps = (value ?? 0) / step;
    const next = (direction === 1 ? Math.floor(steps + 1) : Math.ceil(steps - 1)) * step;
    setTyped('');
    onProblem(undefined);
    onChange(Math.min(Math.max(next, min), max));
  }
  useImperativeHandle(ref, () => ({ stepBy }));
  return (
    <input
      ref={input}
      id={props.id}
      name={props.name}
      className={props.className}
      type="text"
      role="spinbutton"
      inputMode="decimal"
      autoComplete="off"
      aria-label={props.label}
      aria-required={props.isRequired}
      aria-invalid={props.isInvalid || undefined}
      aria-describedby={props.describedBy}
      aria-valuenow={value}
      aria-valuemin={min}
      aria-valuemax={max}
      // For code that reads these attributes; browsers ignore them on text fields.
      min={min}
      max={max}
      step={step}
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value;
        setTyped(next);
        if (next.trim() === '' || read(next) !== undefined) onProblem(undefined);
        onChange(read(next));
      }}
      onBlur={() => onProblem(problem)}
      onKeyDown={(event) => {
        if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
          event.preventDefault();
          stepBy(event.key === 'ArrowUp' ? 1 : -1);
        }
        props.onKeyDown?.(event);
      }}
    />
  );
}
