/** Height of a label in px, and so the least distance between two; large enough for touch. */
export const LABEL_PX = 24;

/**
 * Positions of labels beside their lines, as near to the wanted ones as the distance between labels allows. The order stays the
 * same, and the labels stay within the height if it has room for all.
 * @param wanted positions of the lines' ends in px, in any order
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
