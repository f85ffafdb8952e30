/** Steps of the zoom that a person can ask for. */
export const zoomSteps = ['in', 'out', 'reset'] as const;
export type ZoomStep = (typeof zoomSteps)[number];
