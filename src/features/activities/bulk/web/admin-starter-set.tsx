import { useId } from 'react';
import { ownName } from '#features/schools/content-translations/web/admin-translation-fields.tsx';
import type { ReplyOf } from '#shared/endpoint.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { QueryPlaceholder } from '#web/ui/query-error.tsx';
import { bulkMessages, type getStarterSet } from '../contract.ts';
import { useStarterSet } from './admin-api.ts';
import type { Look } from './bulk-draft.ts';
import { EMPTY_ROW, type ListRow } from './pasted-activities.ts';

type StarterSetProps = {
  /** The names of the selected activities. */
  chosen: readonly string[];
  onChange: (chosen: readonly string[]) => void;
  onBack: () => void;
  onCheck: (rows: readonly ListRow[], looks: readonly Look[]) => void;
};

/** Common school activities by category, with checkboxes. */
export function StarterSet(props: StarterSetProps) {
  const set = useStarterSet();
  if (set.data !== undefined) return <Choice categories={set.data} {...props} />;
  return <QueryPlaceholder text={bulkMessages.failedToLoad} query={set} rows={6} />;
}

type Categories = ReplyOf<typeof getStarterSet>['categories'];
type Named = Categories[number]['activities'][number];

function Choice({
  categories,
  chosen,
  onChange,
  onBack,
  onCheck,
}: StarterSetProps & { categories: Categories }) {
  const { t } = useTranslation();
  const id = useId();
  const everything = categories.flatMap(({ activities }) => activities);
  const isChosen = ({ name }: Named) => chosen.includes(name);
  // Ignores selected names that are gone, for example because the district's first language has changed.
  const ticked = everything.filter(isChosen);
  const isWhole = ticked.length === everything.length;

  function choose(some: readonly Named[], isOn: boolean) {
    const names = some.map(({ name }) => name);
    const others = chosen.filter((name) => !names.includes(name));
    onChange(isOn ? [...others, ...names] : others);
  }

  function check() {
    const rows = categories.flatMap(({ name: category, activities }) =>
      activities.filter(isChosen).map((activity) => ({ ...activity, category })),
    );
    onCheck(
      rows.map(({ translations, ...row }, id) => ({ id, ...EMPTY_ROW, ...row, more: { translations } })),
      categories.map(({ name, color, kind, translations }) => ({ name, color, kind, translations })),
    );
  }

  return (
    <div className="flex flex-col gap-5 rounded-card border border-line bg-card p-5 sm:p-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h3 className="text-xl font-semibold">{t('activities:starterTitle')}</h3>
        <Button kind="plain" onPress={() => choose(everything, !isWhole)}>
          {t(isWhole ? 'activities:starterNone' : 'activities:starterAll')}
        </Button>
      </div>
      <p className="text-soft">{t('activities:starterHint')}</p>
      <div className="grid grid-cols-1 gap-x-8 gap-y-5 sm:grid-cols-2 lg:grid-cols-3">
        {categories.map((category, at) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset's legend can't be a flex item
          <div key={category.name} role="group" aria-labelledby={`${id}-${at}`} className="flex flex-col">
            <Checkbox
              isSelected={category.activities.every(isChosen)}
              onChange={(isOn) => choose(category.activities, isOn)}
            >
              <span id={`${id}-${at}`} className="inline-flex items-center gap-2 font-semibold">
                <CategoryDot color={category.color} />
                {ownName(category)}
              </span>
            </Checkbox>
            <div className="pl-6">
              {category.activities.map((activity) => (
                <Checkbox
                  key={activity.name}
                  isSelected={isChosen(activity)}
                  onChange={(isOn) => choose([activity], isOn)}
                >
                  {ownName(activity)}
                </Checkbox>
              ))}
            </div>
          </div>
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" isDisabled={ticked.length === 0} onPress={check}>
          {ticked.length === 0
            ? t('activities:starterCheckNone')
            : t('activities:starterCheck', { count: ticked.length })}
        </Button>
        <Button onPress={onBack}>{t('activities:starterBack')}</Button>
      </div>
    </div>
  );
}
