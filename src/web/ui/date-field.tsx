import { BOX, LabeledField, type LabeledFieldProps } from './labeled-field.tsx';

type DateFieldProps = LabeledFieldProps & {
  name: string;
  /** 'YYYY-MM-DD', or an empty string. */
  value: string;
  onChange: (value: string) => void;
  min?: string;
  max?: string;
  isDisabled?: boolean;
};

/** A date field with the browser's own picker, which is familiar on phones and needs no download. */
export function DateField({ name, value, onChange, min, max, isDisabled, ...labelled }: DateFieldProps) {
  return (
    <LabeledField {...labelled}>
      {(control) => (
        <input
          {...control}
          className={`${BOX} h-12 appearance-none [&::-webkit-date-and-time-value]:text-left`}
          name={name}
          type="date"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          min={min}
          max={max}
          disabled={isDisabled}
        />
      )}
    </LabeledField>
  );
}
