import { Check } from 'lucide-react';
import type { ReactNode, Ref } from 'react';

type CheckboxProps = {
  children: ReactNode;
  name?: string;
  isSelected: boolean;
  onChange: (isSelected: boolean) => void;
  isAtFault?: boolean;
  /** The id of its description, such as an error message. */
  describedBy?: string | undefined;
  ref?: Ref<HTMLInputElement>;
};

/** A checkbox. The whole line is clickable. */
export function Checkbox(props: CheckboxProps) {
  const { children, name, isSelected, onChange, isAtFault = false, describedBy, ref } = props;
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-2 py-2 transition-colors select-none hover:bg-wash has-checked:font-medium">
      <span className="relative flex size-5 shrink-0">
        <input
          ref={ref}
          type="checkbox"
          className="peer size-5 appearance-none rounded-md border border-field bg-card transition-colors checked:border-brand checked:bg-brand at-fault:border-danger forced-colors:appearance-auto"
          name={name}
          checked={isSelected}
          onChange={(event) => onChange(event.currentTarget.checked)}
          aria-invalid={isAtFault || undefined}
          aria-describedby={describedBy}
        />
        <Check
          aria-hidden="true"
          strokeWidth={3}
          className="pointer-events-none absolute inset-0 m-auto hidden size-3.5 text-on-brand peer-checked:block forced-colors:hidden!"
        />
      </span>
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </label>
  );
}

/** A checkbox as a field of a form, aligned with the other fields. */
export function CheckboxField(props: CheckboxProps) {
  return (
    <div className="-mx-2">
      <Checkbox {...props} />
    </div>
  );
}
