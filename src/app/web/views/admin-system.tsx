import { AdminSystem, type AdminSystemProps } from '#rooms/system/web/admin-system.tsx';
import { usePart } from '#web/lib/use-part.ts';

/** The System screen with its texts, loaded when somebody opens it. */
export function SystemScreen(props: AdminSystemProps) {
  const milestones = usePart('milestones', () => import('./admin-milestones-part.tsx'));
  return (
    <div className="flex flex-col gap-6">
      <AdminSystem {...props} />
      {milestones.data !== undefined && <milestones.data.Milestones />}
    </div>
  );
}
