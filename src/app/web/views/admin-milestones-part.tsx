/** The milestones of a district, with their texts: loaded with the System screen. */
export { Milestones } from '#rooms/goals/web/admin-milestones.tsx';
