import { AdminSystem, type AdminSystemProps } from '#rooms/system/web/admin-system.tsx';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';

const Milestones = lazyScreen(async () => (await import('#rooms/goals/web/admin-milestones.tsx')).Milestones);

/** The System screen, loaded when somebody opens it. */
export function SystemScreen(props: AdminSystemProps) {
  return (
    <div className="flex flex-col gap-6">
      <AdminSystem {...props} />
      <Milestones />
    </div>
  );
}
