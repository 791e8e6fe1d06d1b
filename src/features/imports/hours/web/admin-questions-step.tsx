import { type FormEvent, type ReactNode, useState } from 'react';
import { useCategories } from '#features/activities/categories/web/admin-api.ts';
import { useActivities } from '#features/activities/web/api.ts';
import { UserPicker } from '#features/users/web/admin-user-picker.tsx';
import type { Id } from '#shared/id.ts';
import { fullName } from '#shared/person-name.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Select } from '#web/ui/select.tsx';
import type { ActivityQuestion, ImportPreview, PersonQuestion } from '../contract.ts';
import type { Draft } from './import-draft.ts';
import { importedCategory } from './imported-category.ts';

type QuestionsStepProps = {
  preview: ImportPreview;
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  schoolId: Id;
  isBusy: boolean;
  message: ReactNode;
  onCheck: () => void;
};

const SKIP = 'out';
const NEW = 'new';
const OTHER = 'other';

/** The third step: asks once about each ambiguous name of a person or an activity. */
export function QuestionsStep(props: QuestionsStepProps) {
  const { preview, draft, change, schoolId, isBusy, message, onCheck } = props;
  const { t } = useTranslation();
  const { people, peopleCount, activities, activitiesCount } = preview.questions;
  const more = peopleCount - people.length + activitiesCount - activities.length;

  function submit(event: FormEvent) {
    event.preventDefault();
    onCheck();
  }

  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={submit}>
      <p className="max-w-184">{t('hours:namesHelp')}</p>
      {activities.length > 0 && (
        <ActivityQuestions questions={activities} draft={draft} change={change} schoolId={schoolId} />
      )}
      {people.length > 0 && (
        <section className="flex flex-col gap-3">
          <h4 className="font-semibold">{t('hours:people', { count: peopleCount })}</h4>
          {people.map((question) => (
            <PersonQuestionField
              key={question.who}
              question={question}
              draft={draft}
              change={change}
              schoolId={schoolId}
            />
          ))}
        </section>
      )}
      {more > 0 && <Notice>{t('hours:moreQuestions', { count: more })}</Notice>}
      {message}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button kind="primary" type="submit" isBusy={isBusy} busyText={t('hours:checking')}>
          {t('hours:next')}
        </Button>
        <p className="text-soft">{t('hours:openStayOut')}</p>
      </div>
    </form>
  );
}

type QuestionProps = Pick<QuestionsStepProps, 'draft' | 'change' | 'schoolId'>;

function PersonQuestionField({
  question,
  draft,
  change,
  schoolId,
}: QuestionProps & { question: PersonQuestion }) {
  const { t } = useTranslation();
  const [isSearching, setIsSearching] = useState(false);
  const { who, name, email, rows, candidates } = question;
  const answer = draft.people.find((one) => one.who === who);
  const picked = answer?.userId;
  const isListed = candidates.some(({ id }) => id === picked);
  const options = candidates.map((one) => ({
    value: String(one.id),
    text: `${fullName(one)}, ${one.email}`,
  }));
  const searched =
    typeof picked === 'number' && !isListed
      ? [{ value: String(picked), text: draft.names[picked] ?? String(picked) }]
      : [];

  function answerQuestion(value: string) {
    setIsSearching(value === OTHER);
    const others = draft.people.filter((one) => one.who !== who);
    if (value === OTHER) return;
    if (value === '') change({ people: others });
    else change({ people: [...others, { who, userId: value === SKIP ? null : Number(value) }] });
  }

  return (
    <div className="flex flex-col gap-2">
      <Select
        name={`person-${who}`}
        label={t('hours:whoIs', {
          name: [name, email].filter((part) => part !== '').join(', '),
          count: rows,
        })}
        value={isSearching ? OTHER : picked === null ? SKIP : String(picked ?? '')}
        onChange={answerQuestion}
        prompt={t('hours:notAnswered')}
        choices={[
          ...options,
          ...searched,
          { value: OTHER, text: t('hours:somebodyElse') },
          { value: SKIP, text: t('hours:leaveRowsOut') },
        ]}
      />
      {isSearching && (
        <UserPicker
          schoolId={schoolId}
          onPick={(user) => {
            setIsSearching(false);
            const others = draft.people.filter((one) => one.who !== who);
            change({
              people: [...others, { who, userId: user.id }],
              names: { ...draft.names, [user.id]: `${user.name}, ${user.email}` },
            });
          }}
        />
      )}
    </div>
  );
}

function ActivityQuestions({
  questions,
  draft,
  change,
  schoolId,
}: QuestionProps & { questions: readonly ActivityQuestion[] }) {
  const { t } = useTranslation();
  const activities = useActivities(schoolId).data ?? [];
  const categories = useCategories(schoolId).data ?? [];
  const answered = new Map(draft.activities.map((answer) => [foldForSearch(answer.name), answer]));
  const previous = [...answered.values()].find(({ category }) => typeof category === 'string')?.category;
  const [category, setCategory] = useState(previous ?? undefined);
  const inCategory =
    category ?? importedCategory(categories.map(({ name }) => name)) ?? t('hours:newCategory');
  const isMaking = [...answered.values()].some((answer) => typeof answer.category === 'string');

  function answerQuestion(name: string, value: string) {
    const others = draft.activities.filter((answer) => foldForSearch(answer.name) !== foldForSearch(name));
    if (value === '') change({ activities: others });
    else if (value === NEW) change({ activities: [...others, { name, category: inCategory }] });
    else change({ activities: [...others, { name, activityId: value === SKIP ? null : Number(value) }] });
  }

  function changeCategory(next: string) {
    setCategory(next);
    change({
      activities: draft.activities.map((answer) =>
        typeof answer.category === 'string' ? { ...answer, category: next } : answer,
      ),
    });
  }

  return (
    <section className="flex flex-col gap-3">
      <h4 className="font-semibold">{t('hours:activities', { count: questions.length })}</h4>
      {questions.length > 1 && (
        <div>
          <Button
            onPress={() => {
              const open = questions.filter(({ name }) => name !== '' && !answered.has(foldForSearch(name)));
              const made = open.map(({ name }) => ({ name, category: inCategory }));
              change({ activities: [...draft.activities, ...made] });
            }}
          >
            {t('hours:makeAll')}
          </Button>
        </div>
      )}
      {questions.map(({ name, rows, candidates }) => {
        const answer = answered.get(foldForSearch(name));
        const near = new Set(candidates.map(({ id }) => id));
        const rest = activities.filter(({ id }) => !near.has(id));
        const value =
          answer === undefined
            ? ''
            : typeof answer.category === 'string'
              ? NEW
              : String(answer.activityId ?? SKIP);
        return (
          <Select
            key={name}
            name={`activity-${name}`}
            label={
              name === '' ? t('hours:noActivity', { count: rows }) : t('hours:whichIs', { name, count: rows })
            }
            value={value}
            onChange={(next) => answerQuestion(name, next)}
            prompt={t('hours:notAnswered')}
            choices={[
              ...candidates.map((one) => ({ value: String(one.id), text: `${one.name} (${one.category})` })),
              ...(name === '' ? [] : [{ value: NEW, text: t('hours:makeIt', { name }) }]),
              { value: SKIP, text: t('hours:leaveRowsOut') },
              ...rest.map((one) => ({ value: String(one.id), text: one.name })),
            ]}
          />
        );
      })}
      {isMaking && (
        <div className="sm:max-w-96">
          <Select
            name="category"
            label={t('hours:categoryOfNew')}
            value={inCategory}
            onChange={changeCategory}
            choices={[
              ...categories.map(({ name }) => ({ value: name, text: name })),
              ...(categories.length === 0 ? [{ value: inCategory, text: inCategory }] : []),
            ]}
          />
        </div>
      )}
    </section>
  );
}
