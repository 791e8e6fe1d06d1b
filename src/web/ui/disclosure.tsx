import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';

type DisclosureProps = {
  title: ReactNode;
  /** A second line under the title. */
  hint?: ReactNode;
  /** Shown at the end of the line, such as a count. */
  count?: ReactNode;
  children: ReactNode;
  isExpanded: boolean;
  onExpandedChange: (isExpanded: boolean) => void;
  level?: 2 | 3 | 4;
};

/** A section that can be collapsed; collapsed content is not rendered. */
export function Disclosure({
  title,
  hint,
  count,
  children,
  isExpanded,
  onExpandedChange,
  level = 3,
}: DisclosureProps) {
  const id = useId();
  const Heading = `h${level}` as const;
  return (
    <div className="border-t border-line first:border-t-0">
      <Heading>
        <button
          type="button"
          aria-expanded={isExpanded}
          aria-controls={id}
          className="flex min-h-13 w-full items-center gap-3 rounded-lg px-2 py-2 text-left transition-colors -outline-offset-2! hover:bg-wash"
          onClick={() => onExpandedChange(!isExpanded)}
        >
          <ChevronRight
            aria-hidden="true"
            className={`size-5 shrink-0 text-soft transition-transform ${isExpanded ? 'rotate-90' : ''}`}
          />
          <span className="flex min-w-0 grow flex-col">
            <span className="font-semibold">{title}</span>
            {hint !== undefined && <span className="text-sm text-soft">{hint}</span>}
          </span>
          {count !== undefined && <span className="figures shrink-0 text-dense text-soft">{count}</span>}
        </button>
      </Heading>
      <div id={id} hidden={!isExpanded}>
        {isExpanded && children}
      </div>
    </div>
  );
}
