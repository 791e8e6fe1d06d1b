import { failureText } from '../api/call.ts';
import { FormMessage } from './notice.tsx';

type MutationMessageProps = {
  mutation: Readonly<{
    isError: boolean;
    error: Error | null;
    data?: Readonly<{ message: string }> | undefined;
  }>;
};

/** The message of a change that succeeded, or the reason why it failed. */
export function MutationMessage({ mutation: { isError, error, data } }: MutationMessageProps) {
  return <FormMessage message={isError ? failureText(error) : undefined} success={data?.message} />;
}
