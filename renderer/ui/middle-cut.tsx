/** Name of a server that is cut in the middle if it has too little room. */
export function MiddleCut({ name }: { readonly name: string }) {
  const { head, tail } = nameParts(name);
  return (
    <span className="flex min-w-0 max-w-full whitespace-nowrap">
      <span className="min-w-0 truncate">{head}</span>
      {/* Where there is no room for the end alone, it is cut as well. */}
      {tail !== '' && <span className="flex-none max-w-full truncate">{tail}</span>}
    </span>
  );
}

/** Names up to this length are not split, because the column has room for them. */
const WHOLE_LENGTH = 18;
/** Length of the end that always stays visible, in characters. */
const TAIL_LENGTH = 14;

/**
 * Splits a name into beginning and end. A narrow column cuts the beginning, because names from a registry begin alike and
 * differ at their end.
 */
export function nameParts(name: string): { readonly head: string; readonly tail: string } {
  if (name.length <= WHOLE_LENGTH) return { head: name, tail: '' };
  // The end is moved to a nearby separator: "-sqlite" says more than "er-sqlite".
  const near = name.slice(-TAIL_LENGTH - 4).search(/[._-]/);
  const at = near < 0 || near > 8 ? name.length - TAIL_LENGTH : name.length - TAIL_LENGTH - 4 + near;
  return { head: name.slice(0, at), tail: name.slice(at) };
}
