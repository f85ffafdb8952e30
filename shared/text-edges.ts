/** The text without the characters of `edges` at its start and its end. */
export function withoutEdges(text: string, edges: string): string {
  let [from, to] = [0, text.length];
  while (from < to && edges.includes(text.charAt(from))) from += 1;
  while (to > from && edges.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** The text without the characters of `edge` at its end: what `/[edge]+$/` does in quadratic time, because a pattern tries each run of them. */
export function withoutEnd(text: string, edge: string): string {
  let to = text.length;
  while (to > 0 && edge.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(0, to);
}
