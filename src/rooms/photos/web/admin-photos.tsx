import { Hourglass, Settings, Trash2 } from 'lucide-react';
import type { Id } from '#base/id.ts';
import { useText } from '#web/lib/text.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { useReviewCount } from './admin-api.ts';
import { PhotoTrash, ReviewQueue } from './admin-desk.tsx';
import { PhotoSettingsPart } from './admin-settings.tsx';
import type { PhotoRights } from './photo-rights.ts';

/** The photo screens only administrators see. */
export type Desk = 'review' | 'trash' | 'settings';

type DeskButtonsProps = { rights: PhotoRights; schoolId: Id; onChoose: (desk: Desk) => void };

/** Buttons that open these screens, shown beside the list of activities. */
export function DeskButtons({ rights, schoolId, onChoose }: DeskButtonsProps) {
  const { t } = useText();
  const count = useReviewCount(schoolId);
  return (
    <div className="flex flex-wrap gap-2">
      <Button icon={<Hourglass aria-hidden="true" className="size-5" />} onPress={() => onChoose('review')}>
        {t('photos:reviewTitle')}
        {count > 0 && <Badge tone="danger">{count}</Badge>}
      </Button>
      {rights.seesTrash && (
        <Button icon={<Trash2 aria-hidden="true" className="size-5" />} onPress={() => onChoose('trash')}>
          {t('photos:trash')}
        </Button>
      )}
      {rights.seesSettings && (
        <Button
          icon={<Settings aria-hidden="true" className="size-5" />}
          onPress={() => onChoose('settings')}
        >
          {t('photos:settings')}
        </Button>
      )}
    </div>
  );
}

type AdminPhotosProps = {
  desk: Desk;
  rights: PhotoRights;
  schoolId: Id;
  timeZone: string;
  onBack: () => void;
};

/** One of these screens, with a back button. */
export function AdminPhotos({ desk, rights, schoolId, timeZone, onBack }: AdminPhotosProps) {
  const { t } = useText();
  return (
    <div className="flex flex-col gap-4">
      <div>
        <Button onPress={onBack}>{t('photos:backToSelection')}</Button>
      </div>
      {desk === 'review' && (
        <ReviewQueue mayDecide={rights.mayDecide} schoolId={schoolId} timeZone={timeZone} />
      )}
      {desk === 'trash' && <PhotoTrash schoolId={schoolId} timeZone={timeZone} />}
      {desk === 'settings' && <PhotoSettingsPart />}
    </div>
  );
}
