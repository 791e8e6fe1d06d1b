import { expect, test } from 'vitest';
import { largeImageAttributes } from './photo-image.tsx';

test('a large photo has two sizes with their widths and a display width', () => {
  expect(largeImageAttributes({ width: 4000, height: 3000 }, '/view?signature=a')).toEqual({
    sizes: 'min(100vw, calc(1.333 * (100vh - 160px)))',
    srcSet: '/view?signature=a&side=1320 1320w, /view?signature=a 2048w',
    src: '/view?signature=a',
  });
});

test('the width of a portrait photo is derived from its height', () => {
  expect(largeImageAttributes({ width: 1200, height: 1600 }, '/view?signature=a').srcSet).toBe(
    '/view?signature=a&side=1320 990w, /view?signature=a 1200w',
  );
});

test('a small photo has one size', () => {
  expect(largeImageAttributes({ width: 1320, height: 900 }, '/view')).toEqual({ src: '/view' });
});
