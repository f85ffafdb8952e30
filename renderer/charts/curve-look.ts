/** Looks that all curves share, whoever draws them. */
export const curveLook = {
  strokeWidth: 1.5,
  bandOpacity: 0.22,
  areaOpacity: 0.12,
  blockOpacity: 0.3,
} as const;

/** Room above and below the plot of a strip. */
export const STRIP_TOP_PX = 10;
export const STRIP_BOTTOM_PX = 8;

const MARK_PX = 3.5;

/** Path of a cross around a point, which is not told by its colour alone. */
export const crossAt = (x: number, y: number): string =>
  `M${x - MARK_PX} ${y - MARK_PX}l${2 * MARK_PX} ${2 * MARK_PX}m0 ${-2 * MARK_PX}l${-2 * MARK_PX} ${2 * MARK_PX}`;
