/** Runs of a property in `npm test`, where a person waits. `npm run test:slow` does all. */
const BRIEF_RUNS = 50;

/** How often a property is tried: `full` times in the slow lane, and at most as often as `PROPERTY_RUNS` says else. */
export const propertyRuns = (full: number): number =>
  Math.min(full, Number(process.env['PROPERTY_RUNS'] ?? BRIEF_RUNS));
