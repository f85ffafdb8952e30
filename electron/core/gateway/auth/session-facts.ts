import type { CapabilityClass, SessionFacts } from '../types.ts';

/** The form of the payload. Another one is not read: its session is unknown then. */
const FORM = 1;
const MAX_TEXT_LENGTH = 64;
/** The place of a class stands in ids, so the order never changes. */
const CLASSES: readonly CapabilityClass[] = ['plain', 'elicitation', 'sampling', 'elicitation+sampling'];

/** The facts as compact JSON. */
export function encodeFacts({
  nonce,
  clientId,
  server,
  protocolVersion,
  capabilities,
  info,
  issuedAt,
}: SessionFacts): Buffer {
  const fields = [FORM, nonce, clientId, server, protocolVersion, CLASSES.indexOf(capabilities)];
  const about = info ? [info.name, info.version].map((text) => text.slice(0, MAX_TEXT_LENGTH)) : [null, null];
  return Buffer.from(JSON.stringify([...fields, ...about, issuedAt]));
}

/** The facts of a payload whose seal is ours; undefined for one in another form, such as a later version's. */
export function decodeFacts(payload: Uint8Array): SessionFacts | undefined {
  const fields = parse(payload);
  if (!Array.isArray(fields) || fields[0] !== FORM) return undefined;
  const [, nonce, clientId, server, protocolVersion, place, name, version, issuedAt] = fields as unknown[];
  const capabilities = CLASSES[Number(place)];
  if (![nonce, clientId, server, protocolVersion].every((text) => typeof text === 'string')) return undefined;
  if (capabilities === undefined) return undefined;
  const texts = { nonce, clientId, server, protocolVersion } as Pick<
    SessionFacts,
    'nonce' | 'clientId' | 'server' | 'protocolVersion'
  >;
  const hasInfo = typeof name === 'string' && typeof version === 'string';
  return {
    ...texts,
    capabilities,
    ...(hasInfo && { info: { name, version } }),
    ...(typeof issuedAt === 'number' && { issuedAt }),
  };
}

function parse(payload: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(payload).toString('utf8'));
  } catch {
    return undefined; // Sealed by us and no JSON: there is no such form.
  }
}
