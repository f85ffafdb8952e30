interface Scrolled {
  readonly scrollTop: number;
  readonly clientHeight: number;
  readonly scrollHeight: number;
  readonly offsetTop: number;
}

/** Distance from the upper edge below which a section is not the one that is read, in pixels. */
const READ_PX = 64;

/** Index of the section that is read: the last one that begins at the upper edge, and the last of all at the end. */
export function sectionInView(view: Scrolled, sections: readonly { readonly offsetTop: number }[]): number {
  const isAtEnd = view.scrollTop > 0 && view.scrollTop + view.clientHeight >= view.scrollHeight - 1;
  if (isAtEnd) return sections.length - 1;
  const edge = view.offsetTop + view.scrollTop + READ_PX;
  return Math.max(
    0,
    sections.findLastIndex(({ offsetTop }) => offsetTop <= edge),
  );
}
