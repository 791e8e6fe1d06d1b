/** Requests to join a school, with the texts of roles at schools. */
export { Requests } from '#rooms/users/web/admin-requests.tsx';
