import { X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { IconButton } from '../button.tsx';
import { BOX, FieldError } from '../labeled-field.tsx';
import { NumberInput, type NumberLimits } from '../number-input.tsx';

type NumberRowProps = NumberLimits & {
  name: string;
  /** The label of the number, for screen readers. */
  label: string;
  removeLabel: string;
  value: number | undefined;
  /** An error of the row: of its number or its item. */
  error?: string | undefined;
  onChange: (value: number | undefined) => void;
  onRemove: () => void;
  /** Shown after the name. */
  aside?: ReactNode;
  /** Below the name and its number. */
  children?: ReactNode;
};

/** A row of a list with its own number field and a remove button. */
export function NumberRow(props: NumberRowProps) {
  const { name, label, removeLabel, value, error, onChange, onRemove, aside, children, ...limits } = props;
  const id = useId();
  const [problem, setProblem] = useState<string>();
  const shown = error ?? problem;
  return (
    <li className="py-1 pl-3.5">
      <div className="flex items-center gap-1">
        <span className="flex min-w-0 grow flex-wrap items-center gap-x-2 wrap-anywhere">
          {name}
          {aside}
        </span>
        <NumberInput
          label={label}
          isInvalid={shown !== undefined}
          describedBy={shown === undefined ? undefined : id}
          className={`${BOX} figures h-11 w-20! shrink-0 px-2! text-center`}
          value={value}
          onChange={onChange}
          onProblem={setProblem}
          // Enter does not submit from a row; the button submits the whole list.
          onKeyDown={(event) => {
            if (event.key === 'Enter') event.preventDefault();
          }}
          {...limits}
        />
        <IconButton
          label={removeLabel}
          icon={<X aria-hidden="true" className="size-5" />}
          onPress={onRemove}
        />
      </div>
      {children}
      {shown !== undefined && (
        <div className="pr-3.5 pb-1.5">
          <FieldError id={id} text={shown} />
        </div>
      )}
    </li>
  );
}
