/** Runs of a property in `npm test`, where a developer waits. `npm run test:slow` does all. */
const BRIEF_RUNS = 50;

/** Runs of a property: `full` in the slow lane, else at most `PROPERTY_RUNS`. */
export const propertyRuns = (full: number): number =>
  Math.min(full, Number(process.env['PROPERTY_RUNS'] ?? BRIEF_RUNS));
