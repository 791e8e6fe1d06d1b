import { type Photo, SIZES } from '../contract.ts';

/** Height in pixels of what stands above and below the large picture. */
const AROUND_PX = 160;

/** What an `<img>` of the large picture loads: the browser takes the size that its screen needs. */
export function largeSource({ width, height }: Pick<Photo, 'width' | 'height'>, signedUrl: string) {
  const longest = Math.max(width, height);
  // There are no two sizes of a small picture.
  if (longest <= SIZES.screen) return { src: signedUrl };
  const widthAt = (side: number) => Math.round((width * Math.min(side, longest)) / longest);
  return {
    sizes: `min(100vw, calc(${(width / height).toFixed(3)} * (100vh - ${AROUND_PX}px)))`,
    srcSet: `${signedUrl}&side=${SIZES.screen} ${widthAt(SIZES.screen)}w, ${signedUrl} ${widthAt(SIZES.view)}w`,
    src: signedUrl,
  };
}
