import { createHmac, timingSafeEqual } from 'node:crypto';
import { isJsonObject } from '../../../shared/json-object.ts';
import { canonicalJson } from '../config/canonical-json.ts';

/** Text of a file that only this panel can have written: an object, with an HMAC over all of it. */
export function sealJson(content: object, key: Buffer): string {
  return `${JSON.stringify({ ...content, seal: sealOf(content, key) }, null, 2)}\n`;
}

/** What the text holds; undefined if its seal is not that of the key. */
export function openSealedJson(text: string, key: Buffer): Readonly<Record<string, unknown>> | undefined {
  const { seal, ...content } = parseObject(text);
  if (typeof seal !== 'string') return undefined;
  const [given, expected] = [Buffer.from(seal, 'hex'), Buffer.from(sealOf(content, key), 'hex')];
  return given.length === expected.length && timingSafeEqual(given, expected) ? content : undefined;
}

const sealOf = (content: object, key: Buffer): string =>
  createHmac('sha256', key).update(canonicalJson(content)).digest('hex');

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
