import type { ServerResponse } from 'node:http';

/** JSON: as a text, or as bytes in parts, which are written where they lie. */
export type Body = string | readonly Uint8Array[];

const [LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x0a, 0x0d, 0x20];

export function bodyOf(message: object | readonly Uint8Array[]): Body {
  return isParts(message) ? message : JSON.stringify(message);
}

/** Ends the response with a JSON body and its length. */
export function sendJson(res: ServerResponse, code: number, body: Body): void {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : bytesOf(body);
  res.writeHead(code, { 'Content-Type': 'application/json', 'Content-Length': length });
  endWith(res, body);
}

/** Writes what is left of a response. */
export function endWith(res: ServerResponse, body: Body): void {
  if (typeof body === 'string') return void res.end(body);
  const last = body.length - 1;
  for (let index = 0; index < last; index += 1) res.write(body[index]);
  res.end(body[last]);
}

/** A line break of JSON stands between its values alone, where a space will do; in an event it would end the data. */
export function inOneLine(part: Uint8Array): Uint8Array {
  if (!part.includes(LINE_FEED) && !part.includes(CARRIAGE_RETURN)) return part;
  return part.map((byte) => (byte === LINE_FEED || byte === CARRIAGE_RETURN ? SPACE : byte));
}

function isParts(message: object | readonly Uint8Array[]): message is readonly Uint8Array[] {
  return Array.isArray(message);
}

function bytesOf(parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}
