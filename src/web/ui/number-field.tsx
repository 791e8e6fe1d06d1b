import { Minus, Plus } from 'lucide-react';
import { useRef } from 'react';
import { useText } from '../lib/text.ts';
import { IconButton } from './button.tsx';
import { BOX, Labelled, type LabelledProps } from './labelled.tsx';

type NumberFieldProps = LabelledProps & {
  name: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
  min: number;
  max: number;
  step: number;
  isRequired?: boolean;
};

/** A number field with a button on either side. The steps are only a help; any number may be typed. */
export function NumberField({
  name,
  value,
  onChange,
  min,
  max,
  step,
  isRequired,
  ...labelled
}: NumberFieldProps) {
  const { t } = useText();
  const input = useRef<HTMLInputElement>(null);
  function stepBy(direction: 1 | -1) {
    // Goes from a value between two steps to the next step: 1.3 goes up to 1.5 and down to 1.25.
    const steps = (value ?? 0) / step;
    const next = (direction === 1 ? Math.floor(steps + 1) : Math.ceil(steps - 1)) * step;
    onChange(Math.min(Math.max(next, min), max));
  }
  return (
    <Labelled {...labelled}>
      {(control) => (
        <div className="flex items-center gap-2">
          <IconButton
            isFramed
            label={t('web:less')}
            icon={<Minus className="size-5" />}
            isDisabled={value !== undefined && value <= min}
            onPress={() => stepBy(-1)}
          />
          <input
            {...control}
            ref={input}
            className={`${BOX} figures h-12 max-w-28 [appearance:textfield] text-center [&::-webkit-inner-spin-button]:appearance-none`}
            name={name}
            type="number"
            inputMode="decimal"
            min={min}
            max={max}
            step={step}
            value={value ?? ''}
            onChange={(event) => {
              const typed = event.currentTarget.valueAsNumber;
              onChange(Number.isNaN(typed) ? undefined : typed);
            }}
            // A mouse wheel over the field scrolls the page; it must not change the number.
            onWheel={() => input.current?.blur()}
            aria-required={isRequired}
          />
          <IconButton
            isFramed
            label={t('web:more')}
            icon={<Plus className="size-5" />}
            isDisabled={value !== undefined && value >= max}
            onPress={() => stepBy(1)}
          />
        </div>
      )}
    </Labelled>
  );
}
