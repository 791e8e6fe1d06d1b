import { type KeyboardEvent, type Ref, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { typedHours } from '#shared/hours.ts';
import { readNumber } from '#shared/i18n/number-format.ts';
import { useTranslation } from '../i18n/translate.ts';

export type NumberLimits = {
  min: number;
  max: number;
  step: number;
  /** Also takes '1:30', '1h 30m' and '½'. */
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
  /** Called when the field is left, or its text can be read again. */
  onProblem: (problem: string | undefined) => void;
  isRequired?: boolean | undefined;
  isInvalid: boolean;
  describedBy?: string | undefined;
  onKeyDown?: (event: KeyboardEvent) => void;
};

/**
 * The box of a number. It is a text field: a browser's own drops what it does not know, and makes '0,5' a 5. What cannot
 * be read counts as no number, and the form does not send it.
 */
export function NumberInput(props: NumberInputProps) {
  const { ref, value, onChange, onProblem, min, max, step, isHours = false } = props;
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const read = isHours ? typedHours : readNumber;
  // What was typed stays as it is while it means the value.
  const text = read(typed) === value ? typed : value === undefined ? '' : String(value);
  const problem =
    text.trim() === '' || read(text) !== undefined
      ? undefined
      : t(isHours ? 'web:noHours' : 'web:noNumber', { text: text.trim().slice(0, 20) });
  useLayoutEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem]);
  function stepBy(direction: 1 | -1): void {
    // Goes from a value between two steps to the next step: 1.3 goes up to 1.5 and down to 1.25.
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
      // For those who read them: a browser keeps them of no text field.
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
