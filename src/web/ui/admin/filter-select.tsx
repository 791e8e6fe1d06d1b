import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { type Choice, Choices } from '../select.tsx';
import { filterSelect } from './list-focus-targets.ts';

type FilterSelectProps = {
  label: string;
  /** Shown while nothing is selected; undefined if there is always a selection. */
  prompt: string | undefined;
  value: string;
  onChange: (value: string) => void;
  choices: readonly Choice[];
};

/** A labeled select on one line, for a choice that the whole screen depends on. */
export function FilterSelect({ label, prompt, value, onChange, choices }: FilterSelectProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1 max-sm:w-full">
      <label htmlFor={id} className="text-dense font-medium text-ink">
        {label}
      </label>
      <span className="relative min-w-0 grow basis-60 max-sm:basis-24">
        <select
          id={id}
          ref={filterSelect.ref}
          className="block h-11 w-full min-w-0 appearance-none truncate rounded-xl border border-field bg-card pr-10 pl-3.5 text-base text-ink transition-colors hover:border-ink sm:min-w-72"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <Choices choices={choices} prompt={prompt} />
        </select>
        <ChevronDown
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 right-3 my-auto size-5 text-soft"
        />
      </span>
    </div>
  );
}
