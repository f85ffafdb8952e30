import type { LineList } from './line-cursor.ts';

/** Joins the lists of one stream into as few as possible: a list that begins after the end of the one before continues it. */
export function chainedLists<L extends { readonly atUs: number }>(
  lists: readonly LineList<L>[],
): readonly LineList<L>[] {
  const chains: LineList<L>[][] = [];
  let endUs = Infinity;
  for (const list of lists) {
    const chain = chains.at(-1);
    if (chain && list.firstUs(0) > endUs) chain.push(list);
    else chains.push([list]);
    endUs = list.lastUs(list.sheetCount - 1);
  }
  return chains.map(asOne);
}

/** @param lists at least one, none of them empty */
function asOne<L extends { readonly atUs: number }>(lists: readonly LineList<L>[]): LineList<L> {
  const [first] = lists;
  if (lists.length === 1) return first!;
  const at = <T>(sheet: number, read: (list: LineList<L>, sheet: number) => T): T => {
    let before = 0;
    for (const list of lists) {
      if (sheet < before + list.sheetCount) return read(list, sheet - before);
      before += list.sheetCount;
    }
    throw new RangeError(`There is no sheet ${sheet}`);
  };
  return {
    stream: first!.stream,
    sheetCount: lists.reduce((sum, { sheetCount }) => sum + sheetCount, 0),
    firstUs: (sheet) => at(sheet, (list, own) => list.firstUs(own)),
    lastUs: (sheet) => at(sheet, (list, own) => list.lastUs(own)),
    load: (sheet) => at(sheet, (list, own) => list.load(own)),
  };
}
