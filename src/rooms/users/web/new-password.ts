import { useDistrict } from '#rooms/district/web/api.ts';
import { messages, passwordProblem } from '../contract.ts';

// Specification section 9. The district's own setting counts as soon as it is known; the server judges by it anyhow.
const SPECIFIED_MIN = 6;

/** How many characters a new password needs in this district. */
export function usePasswordMin(): number {
  return useDistrict().data?.passwordMinLength ?? SPECIFIED_MIN;
}

/** What is wrong with a password typed twice. An empty one is for the schema to refuse. */
export function newPasswordProblems(password: string, confirmation: string, min: number) {
  return {
    newPassword: password === '' ? undefined : passwordProblem(password, min),
    confirmation: password === confirmation ? undefined : messages.passwordsDiffer,
  };
}
