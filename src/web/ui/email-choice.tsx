import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import { CheckboxField } from './checkbox.tsx';
import { MutationMessage } from './mutation-message.tsx';
import { QueryError } from './query-error.tsx';

type EmailChoiceProps = {
  title: string;
  /** The checkbox label. */
  label: string;
  /** Shown if the choice could not be loaded. */
  failed: string;
  /** The stored choice; undefined until it is loaded. */
  isWanted: boolean | undefined;
  choice: Pick<UseQueryResult, 'error' | 'isError' | 'isFetching' | 'refetch'>;
  choose: Pick<
    UseMutationResult<{ message: string }, Error, boolean>,
    'data' | 'error' | 'isError' | 'isPending' | 'isSuccess' | 'mutate' | 'variables'
  >;
};

/** A checkbox for one kind of email. A change shows immediately and is reverted if saving fails. */
export function EmailChoice({ title, label, failed, isWanted, choice, choose }: EmailChoiceProps) {
  const shown = choose.isPending ? choose.variables : isWanted;
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-medium">{title}</h4>
      {shown === undefined ? (
        choice.isError && <QueryError text={failed} query={choice} />
      ) : (
        <CheckboxField isSelected={shown} onChange={(wanted) => choose.mutate(wanted)}>
          {label}
        </CheckboxField>
      )}
      <MutationMessage mutation={choose} />
    </div>
  );
}
