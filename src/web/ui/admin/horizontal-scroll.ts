/** For the `ref` of a horizontally scrolling row: fades each end beyond which there is more content. */
export function fadeScrollEnds(row: HTMLElement | null) {
  if (row === null) return undefined;
  const show = () => {
    const after = row.scrollWidth - row.clientWidth - row.scrollLeft;
    const edge = (isCut: boolean) => (isCut ? 'transparent' : '#000');
    row.style.maskImage = `linear-gradient(90deg, ${edge(row.scrollLeft > 1)}, #000 3rem calc(100% - 3rem), ${edge(after > 1)})`;
  };
  const sizes = new ResizeObserver(show);
  for (const part of [row, ...row.children]) sizes.observe(part);
  row.addEventListener('scroll', show);
  return () => {
    sizes.disconnect();
    row.removeEventListener('scroll', show);
  };
}

/**
 * For the `ref` of the selected item in a horizontally scrolling row: scrolls it to the middle of the row. Waits until the
 * selection has rendered, because measuring earlier would force a layout of the whole row. The page itself does not scroll.
 */
export function scrollIntoFullView(chosen: HTMLElement | null) {
  if (chosen === null || typeof IntersectionObserver === 'undefined') return;
  const observer = new IntersectionObserver(() => {
    observer.disconnect();
    const row = chosen.closest<HTMLElement>('[role=tablist], ul');
    if (row !== null) row.scrollLeft += middleOf(chosen) - middleOf(row);
  });
  observer.observe(chosen);
  return () => observer.disconnect();
}

function middleOf(element: Element): number {
  const { left, right } = element.getBoundingClientRect();
  return (left + right) / 2;
}
