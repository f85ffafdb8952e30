import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SessionFacts, CapabilityClass } from '../types.ts';
import type { Tombstones } from './tombstones.ts';

const MAC_BYTES = 32;
/** All that is in an id is bounded, so a longer one is not ours. */
const MAX_ID_LENGTH = 2048;
/** Ids that were opened lately and are known: a seal costs more than the rest of a short request. The oldest go first. */
const MAX_KNOWN = 1024;

export interface SessionIdsOptions {
  /** 256 random bits that stay the same for as long as ids are to open. */
  readonly key: Buffer;
  readonly tombstones: Tombstones;
}

/**
 * Session ids that hold all there is to know of their session, sealed with HMAC-SHA-256: they open after a restart of the
 * panel without anything having been kept. They are no secret and no credential: whoever sends one shows a token, too.
 */
export class SessionIds {
  readonly #key: Buffer;
  readonly #tombstones: Tombstones;
  readonly #known = new Map<string, SessionFacts>();

  constructor({ key, tombstones }: SessionIdsOptions) {
    this.#key = key;
    this.#tombstones = tombstones;
  }

  /** Visible ASCII, as the protocol asks for. */
  mint(facts: SessionFacts): string {
    const payload = encodeFacts(facts);
    return Buffer.concat([payload, this.#seal(payload)]).toString('base64url');
  }

  /** Undefined for what we did not mint, and for what was retired. Never throws. */
  open(id: string): SessionFacts | undefined {
    const facts = this.#known.get(id) ?? this.#unseal(id);
    if (!facts || this.#tombstones.has(facts.nonce)) return undefined;
    this.#remember(id, facts);
    return facts;
  }

  /** The session is over: its id opens no more, from now on. Resolves when that survives a restart; never rejects. */
  retire(facts: SessionFacts): Promise<void> {
    return this.#tombstones.add(facts.nonce);
  }

  #remember(id: string, facts: SessionFacts): void {
    if (this.#known.has(id)) return;
    this.#known.set(id, facts);
    if (this.#known.size <= MAX_KNOWN) return;
    const [oldest] = this.#known.keys();
    this.#known.delete(oldest!);
  }

  #unseal(id: string): SessionFacts | undefined {
    if (id.length > MAX_ID_LENGTH) return undefined;
    const bytes = Buffer.from(id, 'base64url');
    // The decoder skips what is no base64url, so that many texts would be one id.
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== id) return undefined;
    const payload = bytes.subarray(0, -MAC_BYTES);
    if (!timingSafeEqual(this.#seal(payload), bytes.subarray(-MAC_BYTES))) return undefined;
    return decodeFacts(payload);
  }

  #seal(payload: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(payload).digest();
  }
}

/** The form of the payload. Another one is not read: its session is unknown then. */
const FORM = 1;
const MAX_TEXT_LENGTH = 64;
/** The place of a class stands in ids, so the order never changes. */
const CLASSES: readonly CapabilityClass[] = ['plain', 'elicitation', 'sampling', 'elicitation+sampling'];

/** The facts as compact JSON. */
function encodeFacts({
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
function decodeFacts(payload: Uint8Array): SessionFacts | undefined {
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
