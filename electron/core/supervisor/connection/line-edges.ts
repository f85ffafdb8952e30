const MEMBER = String.raw`"(jsonrpc|id|method)"\s*:\s*("[^"\\]*"|\d+)\s*`;
const LEADING_MEMBER = new RegExp(String.raw`\s*${MEMBER},`, 'y');
const OUTCOME = /\s*"(?:result|error)"\s*:/y;
const TRAILING_MEMBERS = new RegExp(String.raw`(?:,\s*${MEMBER})+\}\s*$`);

/** What the first and the last bytes of a line tell of the message that it is, without a look at what lies between. */
export interface LineEdges {
  /** By name: `jsonrpc`, `id`, `method`, as they stand in the line. Of one that stands there twice the first. */
  readonly members: ReadonlyMap<string, string>;
  /** The members at the beginning are followed by a result or an error. */
  readonly isOutcome: boolean;
}

/**
 * The short members of a message around its long one. Ids stand in front of it, or behind: there the TypeScript SDK
 * writes them. `tail` only where the line is whole, since the end of a part may be that of anything within the result.
 * Undefined for what is no object.
 */
export function edgesOf(head: Buffer, tail?: Buffer): LineEdges | undefined {
  // Structure is ASCII, whatever the text between it is.
  const text = head.toString('latin1');
  if (!/^\s*\{/.test(text)) return undefined;
  const members = new Map<string, string>();
  let at = text.indexOf('{') + 1;
  for (let member = matchAt(LEADING_MEMBER, text, at); member; member = matchAt(LEADING_MEMBER, text, at)) {
    keep(members, member);
    at += member[0].length;
  }
  const isOutcome = matchAt(OUTCOME, text, at) !== null;
  const [trailing = ''] = TRAILING_MEMBERS.exec(tail?.toString('latin1') ?? '') ?? [];
  for (const member of trailing.matchAll(new RegExp(MEMBER, 'g'))) keep(members, member);
  return { members, isOutcome };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function keep(members: Map<string, string>, [, key = '', value = '']: RegExpMatchArray): void {
  if (!members.has(key)) members.set(key, value);
}
