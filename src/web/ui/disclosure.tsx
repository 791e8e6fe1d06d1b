import { ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Disclosure as AriaDisclosure, DisclosurePanel } from 'react-aria-components/Disclosure';
import { Heading } from 'react-aria-components/Heading';

type DisclosureProps = {
  title: ReactNode;
  /** A second line under the title. */
  hint?: ReactNode;
  /** Stands at the end of the line, such as how many there are. */
  count?: ReactNode;
  children: ReactNode;
  isExpanded: boolean;
  onExpandedChange: (isExpanded: boolean) => void;
  level?: 2 | 3 | 4;
};

/** A part that folds away. */
export function Disclosure({
  title,
  hint,
  count,
  children,
  isExpanded,
  onExpandedChange,
  level = 3,
}: DisclosureProps) {
  return (
    <AriaDisclosure
      isExpanded={isExpanded}
      onExpandedChange={onExpandedChange}
      className="border-t border-line first:border-t-0"
    >
      <Heading level={level}>
        <Button
          slot="trigger"
          className="flex min-h-13 w-full items-center gap-3 rounded-lg px-2 py-2 text-left transition-colors -outline-offset-2! hover:bg-wash"
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
        </Button>
      </Heading>
      <DisclosurePanel>{children}</DisclosurePanel>
    </AriaDisclosure>
  );
}
