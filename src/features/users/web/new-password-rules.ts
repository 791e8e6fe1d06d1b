import { useDistrict } from '#features/schools/district-settings/web/api.ts';
import { messages, passwordProblem } from '../contract.ts';

// Specification section 9. The district's own setting applies once it has loaded; the server enforces it in any case.
const SPECIFIED_MIN = 6;

/** The minimum length of a new password in this district. */
export function usePasswordMin(): number {
  return useDistrict().data?.passwordMinLength ?? SPECIFIED_MIN;
}

/** What is wrong with a password and its confirmation. The schema rejects an empty one. */
export function newPasswordProblems(password: string, confirmation: string, min: number) {
  return {
    newPassword: password === '' ? undefined : passwordProblem(password, min),
    confirmation: password === confirmation ? undefined : messages.passwordsDiffer,
  };
}
