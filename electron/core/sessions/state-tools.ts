/** Tools of these beginnings change what the next call means. */
const CHANGES = ['set_', 'switch_', 'select_', 'navigate'];
const OPENS = 'open';
const CLOSES = 'close';
/** Enough to show what is meant. */
const MAX_SHOWN = 5;

/** Tools whose names suggest that a server holds a "current" something, which two clients would take from each other. */
export function stateToolsIn(names: readonly string[]): readonly string[] {
  const known = new Set(names);
  const isPaired = (name: string) =>
    (name.startsWith(OPENS) && known.has(`${CLOSES}${name.slice(OPENS.length)}`)) ||
    (name.startsWith(CLOSES) && known.has(`${OPENS}${name.slice(CLOSES.length)}`));
  const isTelling = (name: string) =>
    CHANGES.some((beginning) => name.startsWith(beginning)) || isPaired(name);
  return names.filter(isTelling).slice(0, MAX_SHOWN);
}
