import { SlidersHorizontal } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { useText } from '../../lib/text.ts';
import { Button } from '../button.tsx';

type FilterFoldProps = {
  /** How many filters are set. */
  count: number;
  children: ReactNode;
};

/** The filters of a list as a row of chips; on phones they are collapsed behind a button. */
export function FilterFold({ count, children }: FilterFoldProps) {
  const { t } = useText();
  const id = useId();
  const [isUnfolded, setIsUnfolded] = useState(false);
  return (
    <div className="flex flex-col gap-2 print:hidden">
      <div className="sm:hidden">
        <Button
          isWide
          isExpanded={isUnfolded}
          controls={id}
          icon={<SlidersHorizontal aria-hidden="true" className="size-5" />}
          onPress={() => setIsUnfolded(!isUnfolded)}
        >
          {count === 0 ? t('web:filters') : t('web:filtersSet', { count })}
        </Button>
      </div>
      <div id={id} className={`flex-wrap items-center gap-2 ${isUnfolded ? 'flex' : 'hidden sm:flex'}`}>
        {children}
      </div>
    </div>
  );
}
