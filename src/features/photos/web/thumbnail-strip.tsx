import { useEffect, useRef, useState } from 'react';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import type { Photo } from '../contract.ts';
import { PhotoImage } from './photo-image.tsx';
import { altText } from './photo-labels.ts';

type StripProps = { photos: readonly Photo[]; index: number; onShow: (id: Id) => void };

/** The side of a thumbnail, the gap after it, and the margin at both ends of the strip, in pixels. */
const [SIDE, GAP, MARGIN] = [56, 6, 16];
const STEP = SIDE + GAP;
/**
 * The number of thumbnails rendered on either side of the visible ones. More are rendered when fewer than half of these are
 * left.
 */
const AHEAD = 24;

/** The thumbnails below a large photo. Renders only those in or near view, however many photos there are. */
export function Strip({ photos, index, onShow }: StripProps) {
  const text = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const [rendered, setRendered] = useState({ from: index - AHEAD, to: index + AHEAD });
  // Centers the current thumbnail in the strip without scrolling the page.
  useEffect(() => {
    const strip = box.current;
    if (strip !== null) strip.scrollLeft = MARGIN + index * STEP - (strip.clientWidth - SIDE) / 2;
  }, [index]);

  function updateRendered({ scrollLeft, clientWidth }: HTMLElement) {
    const from = Math.floor((scrollLeft - MARGIN) / STEP);
    const to = Math.ceil((scrollLeft + clientWidth) / STEP);
    const isFarFromEnds = from - rendered.from > AHEAD / 2 && rendered.to - to > AHEAD / 2;
    if (!isFarFromEnds) setRendered({ from: from - AHEAD, to: to + AHEAD });
  }

  if (photos.length < 2) return <div className="h-4" />;
  return (
    <div
      ref={box}
      onScroll={({ currentTarget }) => updateRendered(currentTarget)}
      className="shrink-0 overflow-x-auto pt-2 pb-[max(0.75rem,env(safe-area-inset-bottom))] [scrollbar-width:none]"
    >
      <ul
        aria-label={text.t('photos:strip')}
        style={{ width: 2 * MARGIN + photos.length * STEP - GAP, height: SIDE }}
        className="relative mx-auto"
      >
        {photos.map((photo, at) => {
          // The current thumbnail stays rendered, since it may have the focus.
          if (at !== index && (at < rendered.from || at > rendered.to)) return null;
          return (
            <li
              key={photo.id}
              aria-setsize={photos.length}
              aria-posinset={at + 1}
              style={{ left: MARGIN + at * STEP, width: SIDE, height: SIDE }}
              className="absolute top-0"
            >
              <button
                type="button"
                aria-current={at === index ? 'true' : undefined}
                tabIndex={at === index ? 0 : -1}
                className="relative block size-full overflow-hidden rounded-lg opacity-60 -outline-offset-3! hover:opacity-100 focus-visible:outline-[#fff] aria-[current=true]:border-3 aria-[current=true]:border-[#fff] aria-[current=true]:opacity-100"
                onClick={() => onShow(photo.id)}
              >
                <PhotoImage
                  photo={photo}
                  size="thumbnail"
                  alt={text.t('photos:open', { name: altText(photo, text) })}
                  className="absolute inset-0 size-full object-cover"
                  isLazy
                />
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
