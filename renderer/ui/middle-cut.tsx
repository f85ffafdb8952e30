/** Server name that is cut in the middle if there is too little room. */
export function MiddleCut({ name }: { readonly name: string }) {
  const { head, tail } = nameParts(name);
  return (
    <span className="flex min-w-0 max-w-full whitespace-nowrap">
      <span className="min-w-0 truncate">{head}</span>
      {/* If there is not even room for the end, the end is cut as well. */}
      {tail !== '' && <span className="flex-none max-w-full truncate">{tail}</span>}
    </span>
  );
}

/** Names up to this length are not split, because the column has room for them. */
const WHOLE_LENGTH = 18;
/** Number of characters at the end of a name that always stay visible, approximately. */
const TAIL_LENGTH = 14;

/** Splits a name into beginning and end. Narrow columns cut the beginning, as registry names often differ only at the end. */
export function nameParts(name: string): { readonly head: string; readonly tail: string } {
  if (name.length <= WHOLE_LENGTH) return { head: name, tail: '' };
  // The cut is moved to a nearby separator, because "-sqlite" is clearer than "er-sqlite".
  const near = name.slice(-TAIL_LENGTH - 4).search(/[._-]/);
  const at = near < 0 || near > 8 ? name.length - TAIL_LENGTH : name.length - TAIL_LENGTH - 4 + near;
  return { head: name.slice(0, at), tail: name.slice(at) };
}
