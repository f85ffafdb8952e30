/** Height of a label, and so the distance between two: what a finger needs. */
export const LABEL_PX = 24;

/**
 * Places of labels beside their lines: as near to the wanted ones as the distance between labels allows, in the same
 * order, and within the height where it has room for all.
 * @param wanted places of the lines' ends, in any order
 */
export function labelPlaces(wanted: readonly number[], height: number, apart = LABEL_PX): readonly number[] {
  const order = wanted.map((_, label) => label).toSorted((a, b) => wanted[a]! - wanted[b]! || a - b);
  const places = [...wanted];
  const half = apart / 2;
  let least = half;
  for (const label of order) {
    places[label] = Math.max(wanted[label]!, least);
    least = places[label] + apart;
  }
  let most = height - half;
  for (const label of order.toReversed()) {
    places[label] = Math.min(places[label]!, most);
    most = places[label] - apart;
  }
  return places;
}
