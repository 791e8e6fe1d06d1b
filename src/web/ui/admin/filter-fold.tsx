import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useText } from '../../lib/text.ts';
import { Button } from '../button.tsx';

type FilterFoldProps = {
  /** How many filters are set. */
  count: number;
  /** Buttons before and after that button on phones. */
  start?: ReactNode;
  end?: ReactNode;
  children: ReactNode;
};

/** The filters of a list as a row of chips; on phones they are collapsed behind a button. */
export function FilterFold({ count, start, end, children }: FilterFoldProps) {
  const { t } = useText();
  const id = useId();
  const [isUnfolded, setIsUnfolded] = useState(false);
  return (
    <div className="flex flex-col gap-2 print:hidden">
      <div className="flex flex-wrap items-center gap-2 sm:hidden">
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
      <div id={id} className={`flex-wrap items-center gap-2 ${isUnfolded ? 'flex' : 'hidden sm:flex'}`}>
        {children}
      </div>
    </div>
  );
}
