import type { KeyboardEvent, ReactNode } from 'react';

type RowButtonProps = {
  children: ReactNode;
  onPress: () => void;
  /** `row` fills the width of a list; `tile` and `chip` have a border, and a `chip` is a small pill. */
  look?: 'row' | 'tile' | 'chip';
  /** Readable and focusable, but not pressable; its text explains why. */
  isUnavailable?: boolean;
  isExpanded?: boolean;
  /** Whether its details are open next to the list. */
  isCurrent?: boolean;
  /** Lets `focusRow` find it. */
  rowKey?: string | number;
};

const LOOKS = {
  row: 'min-h-13 w-full flex-wrap gap-y-1 rounded-xl px-2 py-2 hover:bg-wash sm:px-3',
  tile: 'min-h-18 w-full min-w-0 grow rounded-card border border-line bg-card px-4 py-3 hover:border-brand hover:bg-wash active:bg-wash',
  chip: 'min-h-11 max-w-64 rounded-full border border-line bg-card px-3.5 text-dense hover:border-brand hover:bg-wash',
} as const;

/** A row that is a button. Inside `moveBetweenRows`, arrow keys move between rows. */
export function RowButton(props: RowButtonProps) {
  const { children, onPress, look = 'row', isUnavailable = false, isExpanded, isCurrent, rowKey } = props;
  return (
    <button
      type="button"
      data-row={rowKey ?? ''}
      className={`flex items-center gap-3 text-left transition-colors -outline-offset-2! aria-disabled:cursor-not-allowed aria-disabled:hover:bg-transparent ${LOOKS[look]}`}
      aria-disabled={isUnavailable || undefined}
      aria-expanded={isExpanded}
      aria-current={isCurrent || undefined}
      onClick={isUnavailable ? undefined : onPress}
    >
      {children}
    </button>
  );
}

/**
 * Handles arrow keys for the rows inside an element: down from the search box to the first row, between rows, and back
 * up.
 */
export function moveBetweenRows(event: KeyboardEvent<HTMLElement>): void {
  const { key, currentTarget, target } = event;
  if (event.altKey || event.ctrlKey || event.metaKey || !(target instanceof HTMLElement)) return;
  const search = currentTarget.querySelector<HTMLElement>('input[type="search"]');
  const rows = [...currentTarget.querySelectorAll<HTMLElement>('button[data-row]')];
  const at = rows.indexOf(target);
  const isInSearch = target === search;
  if (!isInSearch && at === -1) return;
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    const next = isInSearch ? firstBelow(rows, target, key) : rows[at + (key === 'ArrowDown' ? 1 : -1)];
    if (next === undefined && key === 'ArrowUp') search?.focus();
    next?.focus();
    if (next !== undefined || key === 'ArrowUp') event.preventDefault();
    return;
  }
  // Typing on a row goes to the search box, which takes the focus before the character is inserted.
  if (!isInSearch && (key === 'Backspace' || (key.length === 1 && key !== ' '))) search?.focus();
}

// Rows may also be above the search box; down goes to the first one below it.
function firstBelow(rows: HTMLElement[], search: HTMLElement, key: string): HTMLElement | undefined {
  const isBelow = (row: HTMLElement) =>
    (search.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return key === 'ArrowDown' ? rows.find(isBelow) : rows.findLast((row) => !isBelow(row));
}
