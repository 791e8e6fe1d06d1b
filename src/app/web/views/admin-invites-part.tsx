/** Invitations, with the texts of roles at schools. */
export { Invites } from '#rooms/users/web/admin-invites.tsx';
