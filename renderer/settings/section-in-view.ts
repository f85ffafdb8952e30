interface Scrolled {
  readonly scrollTop: number;
  readonly clientHeight: number;
  readonly scrollHeight: number;
  readonly offsetTop: number;
}

/** Distance from the upper edge, in pixels, within which a section must begin to count as the one being read. */
const READ_PX = 64;

/** Index of the section being read: the last that begins above the reading line, or the last at the end. */
export function sectionInView(view: Scrolled, sections: readonly { readonly offsetTop: number }[]): number {
  const isAtEnd = view.scrollTop > 0 && view.scrollTop + view.clientHeight >= view.scrollHeight - 1;
  if (isAtEnd) return sections.length - 1;
  const edge = view.offsetTop + view.scrollTop + READ_PX;
  return Math.max(
    0,
    sections.findLastIndex(({ offsetTop }) => offsetTop <= edge),
  );
}
