/** The form of an account, with the texts of roles at schools. */
export { UserForm } from '#rooms/users/web/admin-user-form.tsx';
