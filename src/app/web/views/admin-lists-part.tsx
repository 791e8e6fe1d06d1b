/** The lists of the Admin Panel's records. */
export { AdminActivities } from '#rooms/activities/web/admin-activities.tsx';
export { AdminCategories } from '#rooms/categories/web/admin-categories.tsx';
export { AdminSchools } from '#rooms/schools/web/admin-schools.tsx';
