import { AdminSystem, type AdminSystemProps } from '#features/operations/web/admin-server.tsx';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';

const Milestones = lazyScreen(
  async () => (await import('#features/time-entries/goals/web/admin-milestones.tsx')).Milestones,
);

/** The System screen, loaded when first opened. */
export function SystemScreen(props: AdminSystemProps) {
  return (
    <div className="flex flex-col gap-6">
      <AdminSystem {...props} />
      <Milestones />
    </div>
  );
}
