/** Keys that press a button in the focused row. */
export type QueueKey = 'v' | 'd';

/**
 * Moves the focus to the next (1) or previous (-1) row of the queue with a button, or to the first if none has the
 * focus. Does nothing if no queue is open.
 */
export function moveInQueue(direction: 1 | -1): void {
  const rows = [...document.querySelectorAll('[data-desk-row]')].filter((row) => buttonOf(row) !== null);
  const focused = focusedRow();
  const at = focused === null || focused === undefined ? -1 : rows.indexOf(focused);
  const next = rows[at === -1 ? 0 : Math.min(Math.max(at + direction, 0), rows.length - 1)];
  if (next !== undefined) buttonOf(next)?.focus();
}

/** Presses the key's button in the focused row. */
export function pressInQueue(key: QueueKey): void {
  const row = focusedRow();
  if (row !== null) buttonOf(row, key)?.click();
}

function focusedRow(): Element | null {
  return document.activeElement?.closest('[data-desk-row]') ?? null;
}

function buttonOf(row: Element, key: QueueKey = 'v'): HTMLButtonElement | null {
  return row.querySelector(`[data-desk-key="${key}"] button`);
}
