import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from '../../i18n/translate.ts';
import { Button } from '../button.tsx';

type CollapsibleFiltersProps = {
  /** How many filters are set. */
  count: number;
  /** Buttons before and after the filter button on phones. */
  start?: ReactNode;
  end?: ReactNode;
  /**
   * Whether the filters are on the line of the search and the Add button. On phones the filter button is then next to these.
   */
  isBeside?: boolean;
  children: ReactNode;
};

/** The filters of a list as a row of chips; on phones they are collapsed behind a button. */
export function CollapsibleFilters({
  count,
  start,
  end,
  isBeside = false,
  children,
}: CollapsibleFiltersProps) {
  const { t } = useTranslation();
  const id = useId();
  const [isUnfolded, setIsUnfolded] = useState(false);
  return (
    <div className={`flex-col gap-2 print:hidden ${isBeside ? 'contents sm:flex sm:basis-full' : 'flex'}`}>
      <div className="flex grow flex-wrap items-center gap-2 sm:hidden print:hidden">
        {start}
        <Button
          isWide={start === undefined}
          isExpanded={isUnfolded}
          controls={id}
          icon={<SlidersHorizontal aria-hidden="true" className="size-5" />}
          onPress={() => setIsUnfolded(!isUnfolded)}
        >
          {count === 0 ? t('web:filters') : t('web:filtersSet', { count })}
        </Button>
        {end}
      </div>
      <div
        id={id}
        className={`basis-full flex-wrap items-center gap-2 sm:basis-auto print:hidden ${isUnfolded ? 'flex' : 'hidden sm:flex'}`}
      >
        {children}
      </div>
    </div>
  );
}
