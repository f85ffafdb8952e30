/** Returns the text without any characters of `edges` at its start and end. */
export function withoutEdges(text: string, edges: string): string {
  let [from, to] = [0, text.length];
  while (from < to && edges.includes(text.charAt(from))) from += 1;
  while (to > from && edges.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(from, to);
}

/** Returns the text without `edge` characters at its end. The pattern `/[edge]+$/` would take quadratic time. */
export function withoutEnd(text: string, edge: string): string {
  let to = text.length;
  while (to > 0 && edge.includes(text.charAt(to - 1))) to -= 1;
  return text.slice(0, to);
}
