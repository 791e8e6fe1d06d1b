import { Minus, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { IconButton } from './button.tsx';
import { BOX, LabeledField, type LabeledFieldProps } from './labeled-field.tsx';
import { NumberInput, type NumberLimits } from './number-input.tsx';

type NumberFieldProps = LabeledFieldProps &
  NumberLimits & {
    name: string;
    value: number | undefined;
    onChange: (value: number | undefined) => void;
    isRequired?: boolean;
  };

/** A number field with a button on either side. The steps are optional; any number can be typed. */
export function NumberField({
  name,
  value,
  onChange,
  isRequired,
  min,
  max,
  step,
  isHours,
  error,
  ...labelled
}: NumberFieldProps) {
  const { t } = useTranslation();
  const input = useRef<{ stepBy: (direction: 1 | -1) => void }>(null);
  const [problem, setProblem] = useState<string>();
  return (
    <LabeledField {...labelled} error={error ?? problem}>
      {({ id, 'aria-invalid': isInvalid, 'aria-describedby': describedBy }) => (
        <div className="flex items-center gap-2">
          <IconButton
            isFramed
            label={t('web:less')}
            icon={<Minus className="size-5" />}
            isDisabled={value !== undefined && value <= min}
            onPress={() => input.current?.stepBy(-1)}
          />
          <NumberInput
            ref={input}
            className={`${BOX} figures h-12 max-w-28 text-center`}
            {...{ id, name, value, onChange, min, max, step, isRequired, describedBy }}
            isHours={isHours ?? false}
            isInvalid={isInvalid === true}
            onProblem={setProblem}
          />
          <IconButton
            isFramed
            label={t('web:more')}
            icon={<Plus className="size-5" />}
            isDisabled={value !== undefined && value >= max}
            onPress={() => input.current?.stepBy(1)}
          />
        </div>
      )}
    </LabeledField>
  );
}
