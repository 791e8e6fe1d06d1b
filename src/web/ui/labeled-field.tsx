import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';

export type LabeledFieldProps = {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | undefined;
  isErrorRepeated?: boolean | undefined;
  /** Shown at the right end of the label's line. */
  aside?: ReactNode;
};

/** The attributes that connect a control to its label, hint and error. */
export type ControlProps = {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
};

/** The frame of every field: the label above, hint and error below. */
export function LabeledField({
  label,
  hint,
  error,
  isErrorRepeated = false,
  aside,
  children,
}: LabeledFieldProps & { children: (control: ControlProps) => ReactNode }) {
  const id = useId();
  const errorId = error === undefined ? undefined : `${id}-error`;
  // An error replaces the hint, so nothing below moves.
  const isHinted = hint !== undefined && (error === undefined || isErrorRepeated);
  const hintId = isHinted ? `${id}-hint` : undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <label htmlFor={id} className="font-medium wrap-anywhere">
          {label}
        </label>
        {aside}
      </div>
      {children({
        id,
        'aria-invalid': error === undefined ? undefined : true,
        'aria-describedby': [hintId, errorId].filter((one) => one !== undefined).join(' ') || undefined,
      })}
      {isHinted && (
        <p id={hintId} className="text-sm text-soft">
          {hint}
        </p>
      )}
      {error !== undefined && <FieldError id={`${id}-error`} text={error} isQuiet={isErrorRepeated} />}
    </div>
  );
}

/** A field's error as text with an icon, never only in red. */
export function FieldError({ id, text, isQuiet = false }: { id: string; text: string; isQuiet?: boolean }) {
  return (
    <p id={id} className={isQuiet ? 'sr-only' : 'flex gap-1.5 text-sm font-medium wrap-anywhere text-danger'}>
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {text}
    </p>
  );
}

/** The style of an input box. Text of 16 px keeps phones from zooming in. */
export const BOX =
  'block w-full min-w-0 rounded-xl border border-field bg-card px-3.5 text-base text-ink transition-colors placeholder:text-soft hover:border-ink focus-visible:border-brand focus-visible:outline-offset-0 disabled:opacity-60 at-fault:border-danger at-fault:thick-edge';
