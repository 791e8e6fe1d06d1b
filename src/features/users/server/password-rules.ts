import type { Deps } from '#server/deps.ts';
import { isCommonPassword } from '#server/passwords.ts';
import { errors } from '#shared/errors.ts';
import { messages, passwordProblem } from '../contract.ts';

/**
 * Throws 400 for a new password that is too short, too long or, if the district checks this, too common. `field` is the field
 * of the request body; `problemOf` checks the length, with the messages of the form.
 */
export function checkNewPassword(
  deps: Deps,
  password: string,
  field: string,
  problemOf = passwordProblem,
): void {
  const problem = problemOf(password, deps.config.passwordMinLength);
  if (problem !== undefined) throw errors.invalid(problem, { [field]: problem });
  if (deps.config.passwordBlocklist && isCommonPassword(password)) {
    throw errors.invalid(messages.passwordTooCommon, { [field]: messages.passwordTooCommon });
  }
}
