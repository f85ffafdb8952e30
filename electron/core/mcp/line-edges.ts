import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';

/**
 * Bytes read at each end of a line that contains one message. They are enough for the short members (`jsonrpc`, `id`, `method`)
 * before and after a long result.
 */
export const EDGE_BYTES = 256;

const MEMBER = String.raw`"(jsonrpc|id|method)"\s*:\s*("[^"\\]*"|\d+)\s*`;
const LEADING_MEMBER = new RegExp(String.raw`\s*${MEMBER},`, 'y');
const BODY = /\s*"(result|error|params)"\s*:/y;
const TRAILING_MEMBERS = new RegExp(String.raw`(?:,\s*${MEMBER})+\}\s*$`);

/** Range of bytes, `end` excluded. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

/** What the first and last bytes of a line reveal about its message; the bytes in between are not read. */
export interface LineEdges {
  /**
   * Raw JSON values of the members `jsonrpc`, `id` and `method`, keyed by name. If a name occurs twice, the first value counts.
   */
  readonly members: ReadonlyMap<string, string>;
  /** Name of the member that may be long. It comes directly after the short members at the beginning of the line. */
  readonly body: 'result' | 'error' | 'params' | undefined;
  /** True if the line begins and ends like a complete message: the long member is an object, and no short member occurs twice. */
  readonly isWhole: boolean;
  /** Position of the value of `id` in the line. */
  readonly idSpan: ByteSpan | undefined;
}

/**
 * Reads the short members of a message before and after its long member. The TypeScript SDK writes the id after the long
 * member, other servers before it. `tail` is only given for a complete line: the end of an incomplete one may be part of the
 * result. Returns undefined if the text is not an object.
 */
export function edgesOf(head: Buffer, tail?: Buffer, byteLength = head.length): LineEdges | undefined {
  // JSON structure is ASCII, so decoding as Latin-1 finds it even if the text between contains other characters.
  const text = head.toString('latin1');
  if (!/^\s*\{/.test(text)) return undefined;
  const members = new Members();
  let at = text.indexOf('{') + 1;
  for (let member = matchAt(LEADING_MEMBER, text, at); member; member = matchAt(LEADING_MEMBER, text, at)) {
    members.add(member, member.index);
    at += member[0].length;
  }
  const [upToBody = '', body] = matchAt(BODY, text, at) ?? [];
  const isObject = text
    .slice(at + upToBody.length)
    .trimStart()
    .startsWith('{');
  const end = tail?.toString('latin1') ?? '';
  const trailing = TRAILING_MEMBERS.exec(end);
  const trailingAt = trailing?.index ?? end.trimEnd().length - 1;
  for (const member of trailing?.[0].matchAll(new RegExp(MEMBER, 'g')) ?? [])
    members.add(member, byteLength - end.length + trailingAt + member.index);
  const isClosed = end.trimEnd().endsWith('}') && end.slice(0, trailingAt).trimEnd().endsWith('}');
  return {
    members: members.values,
    body: body as LineEdges['body'],
    isWhole: body !== undefined && isObject && isClosed && !members.hasTwins,
    idSpan: members.idSpan,
  };
}

/**
 * Returns the request or notification, without params, from a line of which only the edges were read; undefined unless the
 * edges are certain. Even without params the message is useful: it shows that the server is alive, and a request must be
 * answered.
 */
export function requestIn(edges: LineEdges | undefined): JSONRPCMessage | undefined {
  const [version, method, id] = ['jsonrpc', 'method', 'id'].map((name) => edges?.members.get(name));
  if (edges?.body === 'result' || edges?.body === 'error') return undefined;
  if (version !== '"2.0"' || method?.startsWith('"') !== true) return undefined;
  try {
    const asked = { jsonrpc: '2.0' as const, method: String(JSON.parse(method)) };
    return id === undefined ? asked : { ...asked, id: JSON.parse(id) as string | number };
  } catch {
    return undefined; // The edges contain digits or control characters that JSON does not allow, so the line is not a message.
  }
}

class Members {
  readonly values = new Map<string, string>();
  hasTwins = false;
  idSpan: ByteSpan | undefined;

  add([text, key = '', value = '']: RegExpMatchArray, at: number): void {
    if (this.values.has(key)) {
      this.hasTwins = true;
      return;
    }
    this.values.set(key, value);
    const start = at + text.lastIndexOf(value);
    if (key === 'id') this.idSpan = { start, end: start + value.length };
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
