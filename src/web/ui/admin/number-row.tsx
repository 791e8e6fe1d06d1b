import { X } from 'lucide-react';
import { IconButton } from '../button.tsx';
import { BOX } from '../labelled.tsx';

type NumberRowProps = {
  name: string;
  /** What the number is, for everybody who does not see the row. */
  label: string;
  removeLabel: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  onRemove: () => void;
  min: number;
  max: number;
  step: number;
};

/** A line of a list with a number of its own, and a cross that takes it away. */
export function NumberRow(props: NumberRowProps) {
  const { name, label, removeLabel, value, onChange, onRemove, ...limits } = props;
  return (
    <li className="flex items-center gap-1 py-1 pl-3.5">
      <span className="min-w-0 grow wrap-anywhere">{name}</span>
      <input
        type="number"
        inputMode="decimal"
        aria-label={label}
        className={`${BOX} figures h-11 w-20! shrink-0 px-2! text-center`}
        value={value ?? ''}
        onChange={(event) => {
          const typed = event.currentTarget.valueAsNumber;
          onChange(Number.isNaN(typed) ? undefined : typed);
        }}
        {...limits}
      />
      <IconButton label={removeLabel} icon={<X aria-hidden="true" className="size-5" />} onPress={onRemove} />
    </li>
  );
}
