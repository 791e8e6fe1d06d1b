import { Hourglass, Settings, Trash2 } from 'lucide-react';
import type { Id } from '#base/id.ts';
import { useText } from '#web/lib/text.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { useReviewCount } from './admin-api.ts';
import { PhotoTrash, ReviewQueue } from './admin-desk.tsx';
import { PhotoSettingsPart } from './admin-settings.tsx';

/** The photo screens only administrators see. */
export type Desk = 'review' | 'trash' | 'settings';

/** Buttons that open these screens, shown beside the list of activities. */
export function DeskButtons({ schoolId, onChoose }: { schoolId: Id; onChoose: (desk: Desk) => void }) {
  const { t } = useText();
  const count = useReviewCount(schoolId);
  return (
    <div className="flex flex-wrap gap-2">
      <Button icon={<Hourglass aria-hidden="true" className="size-5" />} onPress={() => onChoose('review')}>
        {t('photos:reviewTitle')}
        {count > 0 && <Badge tone="danger">{count}</Badge>}
      </Button>
      <Button icon={<Trash2 aria-hidden="true" className="size-5" />} onPress={() => onChoose('trash')}>
        {t('photos:trash')}
      </Button>
      <Button icon={<Settings aria-hidden="true" className="size-5" />} onPress={() => onChoose('settings')}>
        {t('photos:settings')}
      </Button>
    </div>
  );
}

type AdminPhotosProps = { desk: Desk; schoolId: Id; timeZone: string; onBack: () => void };

/** One of these screens, with a back button. */
export function AdminPhotos({ desk, schoolId, timeZone, onBack }: AdminPhotosProps) {
  const { t } = useText();
  return (
    <div className="flex flex-col gap-4">
      <div>
        <Button onPress={onBack}>{t('photos:backToSelection')}</Button>
      </div>
      {desk === 'review' && <ReviewQueue schoolId={schoolId} timeZone={timeZone} />}
      {desk === 'trash' && <PhotoTrash schoolId={schoolId} timeZone={timeZone} />}
      {desk === 'settings' && <PhotoSettingsPart />}
    </div>
  );
}
