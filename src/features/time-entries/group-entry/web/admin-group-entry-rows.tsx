import { useState } from 'react';
import { LIMITS } from '#features/users/contract.ts';
import type { Hours } from '#shared/hours.ts';
import { formatHours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { fullName } from '#shared/person-name.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { NumberRow } from '#web/ui/admin/number-row.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { FieldError } from '#web/ui/labeled-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { HOURS } from '../../contract.ts';
import {
  findMeantMembers,
  type GroupEntryRow,
  isUnmatched,
  type Member,
  OFFERED_MEMBERS,
  parseRow,
  rowForMember,
  toNewcomer,
} from './group-entry-rows.ts';

type SheetLinesProps = {
  lines: readonly GroupEntryRow[];
  members: readonly Member[];
  onSheet: ReadonlySet<Id>;
  /** The hours that volunteers already have for the activity on that day. */
  had: ReadonlyMap<Id, Hours>;
  error: (at: number) => string | undefined;
  /** Unmatched rows that prevented the form from being sent. */
  rejected: ReadonlySet<string>;
  /** The changed row, or undefined to remove it. */
  onChange: (line: GroupEntryRow, next: GroupEntryRow | undefined) => void;
  /** Called when a row has been matched to a person. */
  onAnswered: () => void;
};

/** The element id of the question about a row. */
export function questionId(key: string): string {
  return `who-${key}`;
}

/** The rows of a group entry: a name and its hours. A row that matches no member or several asks who it is. */
export function GroupEntryRows(props: SheetLinesProps) {
  const { lines, members, onSheet, had, error, rejected, onChange, onAnswered } = props;
  const { t, language } = useTranslation();
  // The latest row is next to the field it was typed in.
  const latestFirst = lines.map((line, at) => [line, at] as const).toReversed();
  if (lines.length === 0) return null;
  return (
    <ul className="divide-y divide-line rounded-xl border border-line">
      {latestFirst.map(([line, at]) => {
        const already = line.userId === undefined ? undefined : had.get(line.userId);
        return (
          <NumberRow
            key={line.key}
            name={line.name}
            aside={
              <>
                {line.walkIn !== undefined && <Badge>{t('time-entries:sheetWalkIn')}</Badge>}
                {already !== undefined && (
                  <Badge>{t('time-entries:sheetHas', { hours: formatHours(already, language) })}</Badge>
                )}
              </>
            }
            label={t('time-entries:hoursOf', { name: line.name })}
            removeLabel={t('web:remove', { name: line.name })}
            value={line.hours}
            error={error(at)}
            {...HOURS}
            isHours
            onChange={(hours) => onChange(line, { ...line, hours })}
            onRemove={() => onChange(line, undefined)}
          >
            {isUnmatched(line) && (
              <WhoIsIt
                line={line}
                choices={findMeantMembers(members, parseRow(line.name)).filter(({ id }) => !onSheet.has(id))}
                isRejected={rejected.has(line.key)}
                onAnswer={(next) => {
                  onChange(line, next);
                  onAnswered();
                }}
              />
            )}
            {line.walkIn !== undefined && (
              <NewcomerFields line={line} walkIn={line.walkIn} onChange={onChange} />
            )}
          </NumberRow>
        );
      })}
    </ul>
  );
}

type WhoIsItProps = {
  line: GroupEntryRow;
  choices: readonly Member[];
  isRejected: boolean;
  onAnswer: (next: GroupEntryRow) => void;
};

/** Asks whom a row refers to: one of the members with a similar name, or a new person. */
function WhoIsIt({ line, choices, isRejected, onAnswer }: WhoIsItProps) {
  const { t } = useTranslation();
  const id = questionId(line.key);
  const errorId = `${id}-error`;
  return (
    <fieldset
      id={id}
      aria-describedby={isRejected ? errorId : undefined}
      className="flex flex-wrap items-center gap-1.5 pr-3.5 pb-2"
    >
      <legend className="float-left w-full text-sm text-soft">
        {t(choices.length === 0 ? 'time-entries:sheetNobody' : 'time-entries:sheetSeveral', {
          name: line.name,
        })}
      </legend>
      {choices.slice(0, OFFERED_MEMBERS).map((member) => (
        <Button key={member.id} onPress={() => onAnswer(rowForMember(member, line.key, line.hours))}>
          {fullName(member)}
          {member.email !== '' && <span className="text-sm font-normal text-soft">{member.email}</span>}
        </Button>
      ))}
      <Button onPress={() => onAnswer({ ...line, walkIn: toNewcomer(line), name: nameOf(line) })}>
        {t('time-entries:sheetNew', { name: nameOf(line) })}
      </Button>
      {isRejected && (
        <div className="w-full">
          <FieldError
            id={errorId}
            text={t(choices.length === 0 ? 'time-entries:sheetDecideNew' : 'time-entries:sheetDecideWho', {
              name: line.name,
            })}
          />
        </div>
      )}
    </fieldset>
  );
}

function nameOf(line: GroupEntryRow): string {
  return fullName(toNewcomer(line)).trim() || line.name;
}

type NewcomerFieldsProps = Pick<SheetLinesProps, 'onChange'> & {
  line: GroupEntryRow;
  walkIn: NonNullable<GroupEntryRow['walkIn']>;
};

/** The names of a new person, and the email address if the row has one. */
function NewcomerFields({ line, walkIn, onChange }: NewcomerFieldsProps) {
  const { t } = useTranslation();
  // A complete name is only edited on request.
  const [isOpen, setIsOpen] = useState(walkIn.firstName === '' || walkIn.lastName === '');
  if (!isOpen) {
    return (
      <div className="pb-2">
        <LinkButton onPress={() => setIsOpen(true)}>
          {t('time-entries:sheetEditNew', { name: line.name })}
        </LinkButton>
      </div>
    );
  }
  function set(some: Partial<typeof walkIn>): void {
    const next = { ...walkIn, ...some };
    onChange(line, { ...line, walkIn: next, name: fullName(next).trim() || line.name });
  }
  return (
    <div className="grid gap-2 pr-3.5 pb-3 min-[26rem]:grid-cols-2">
      <TextField
        name={`first-${line.key}`}
        label={t('users:firstName')}
        value={walkIn.firstName}
        onChange={(firstName) => set({ firstName })}
        maxLength={LIMITS.name}
        autoComplete="off"
      />
      <TextField
        name={`last-${line.key}`}
        label={t('users:lastName')}
        value={walkIn.lastName}
        onChange={(lastName) => set({ lastName })}
        maxLength={LIMITS.name}
        autoComplete="off"
      />
      <div className="min-[26rem]:col-span-2">
        <TextField
          name={`email-${line.key}`}
          label={t('users:walkInEmail')}
          type="email"
          value={walkIn.email ?? ''}
          onChange={(email) => set({ email: email === '' ? null : email })}
          maxLength={LIMITS.email}
          autoComplete="off"
        />
      </div>
    </div>
  );
}
