import { listAdd, listSearch } from '#web/ui/admin/list-focus-targets.ts';
import { moveInQueue, pressInQueue } from '#web/ui/admin/queue-keys.ts';
import { notify } from '#web/ui/toasts.ts';
import type { AdminTab } from '../navigation.ts';
import { useShortcuts } from '../shortcuts.tsx';
import type { Shortcut } from '../shortcuts-dialog.tsx';

/** The shortcuts as the list of shortcuts shows them. */
export const shortcutsFor = (tabs: number): readonly Shortcut[] => [
  [['/'], 'web:shortcutFind'],
  [['n'], 'web:shortcutAdd'],
  [Array.from({ length: tabs }, (_, at) => String(at + 1)), 'web:shortcutAdminTabs'],
  [['j', 'k', 'v', 'd'], 'web:shortcutDesk'],
  [['u'], 'web:shortcutUndo'],
  [['g', 't'], 'web:shortcutBack'],
  [['?'], 'web:shortcutList'],
];

type PanelKeys = { open: (tab: AdminTab) => void; onBack: () => void; onList: () => void };

/** The Admin Panel's keyboard shortcuts; number keys open the tabs. */
export function usePanelShortcuts(tabs: readonly AdminTab[], { open, onBack, onList }: PanelKeys) {
  return useShortcuts({
    '/': listSearch.focus,
    n: listAdd.press,
    ...Object.fromEntries(tabs.map((tab, at) => [String(at + 1), () => open(tab)])),
    j: () => moveInQueue(1),
    k: () => moveInQueue(-1),
    v: () => pressInQueue('v'),
    d: () => pressInQueue('d'),
    u: notify.undoLast,
    'g t': onBack,
    '?': onList,
  });
}
