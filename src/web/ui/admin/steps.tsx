import { Check } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { createFocusTargets } from '../focus-target.ts';
import { FormMessage } from '../notice.tsx';

/** A sequence of steps; each child is a `Step`. */
export function Steps({ children }: { children: ReactNode }) {
  return <ol className="flex flex-col gap-3">{children}</ol>;
}

type StepProps = {
  /** The number of the step, from 1. */
  number: number;
  title: string;
  state: 'done' | 'open' | 'later';
  /** The result in one line; shown even while the step is collapsed. */
  summary?: ReactNode;
  /** Shown at the end of the title's line. */
  action?: ReactNode;
  /** The content of the step; undefined while it is collapsed. */
  children?: ReactNode;
};

/** One step, collapsed with a check mark once it is done. */
export function Step({ number, title, state, summary, action, children }: StepProps) {
  const { t } = useTranslation();
  const id = useId();
  const isLater = state === 'later';
  return (
    <li
      aria-labelledby={id}
      className={`rounded-card border border-line p-4 sm:p-5 ${isLater ? '' : 'bg-card'}`}
    >
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <span
          aria-hidden="true"
          className={`figures flex size-8 shrink-0 items-center justify-center rounded-full font-semibold ${MARKS[state]}`}
        >
          {state === 'done' ? <Check strokeWidth={3} className="size-4.5" /> : number}
        </span>
        <div className="min-w-0 grow basis-40">
          <h3
            id={id}
            ref={stepTitle(number).ref}
            tabIndex={-1}
            className={`text-lg leading-8 font-semibold outline-none ${isLater ? 'text-soft' : ''}`}
          >
            <span className="sr-only">{t('web:stepNumber', { number })} </span>
            {title}
            {state === 'done' && <span className="sr-only"> {t('web:stepDone')}</span>}
          </h3>
          {summary !== undefined && <div className="text-dense wrap-anywhere text-soft">{summary}</div>}
        </div>
        {action !== undefined && <div className="flex shrink-0 flex-wrap gap-2">{action}</div>}
      </div>
      {children !== undefined && <div className="mt-4 flex flex-col gap-4 sm:pl-11">{children}</div>}
    </li>
  );
}

/** An error of a step, above its buttons. Takes no space if there is none. */
export function StepMessage({ message }: { message: string | undefined }) {
  return (
    <div className="not-has-[p]:-mt-4">
      <FormMessage message={message} />
    </div>
  );
}

/** The title of each step, by number. It takes the focus when the previous step is done. */
export const stepTitle = createFocusTargets<number>();

const MARKS = {
  done: 'bg-brand text-on-brand forced-colors:border',
  open: 'border-2 border-brand text-brand',
  later: 'border border-field text-soft',
} as const;
