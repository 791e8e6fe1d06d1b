import { EllipsisVertical } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';

export type MenuAction = Readonly<{ key: string; title: string; icon?: ReactNode; onPress: () => void }>;

/** Actions behind one button. */
export function Menu({ label, actions }: { label: string; actions: readonly MenuAction[] }) {
  return (
    <MenuTrigger>
      <Button
        aria-label={label}
        className="flex size-11 shrink-0 items-center justify-center rounded-xl text-soft transition-colors hover:bg-wash hover:text-ink aria-expanded:bg-wash"
      >
        <EllipsisVertical aria-hidden="true" className="size-6" />
      </Button>
      <Popover
        placement="bottom end"
        className="min-w-52 rounded-card border border-line bg-card p-1.5 shadow-float transition entering:-translate-y-1 entering:opacity-0 exiting:opacity-0"
      >
        <AriaMenu aria-label={label} className="outline-none">
          {actions.map(({ key, title, icon, onPress }) => (
            <MenuItem
              key={key}
              id={key}
              textValue={title}
              onAction={onPress}
              className="flex min-h-12 cursor-pointer items-center gap-3 rounded-lg px-3 font-medium outline-none data-focused:bg-wash data-focus-visible:outline-2 data-focus-visible:outline-brand data-focus-visible:-outline-offset-2"
            >
              {icon}
              {title}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
