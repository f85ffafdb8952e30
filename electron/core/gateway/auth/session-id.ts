import { parsedJson } from '../../../../shared/parsed.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { setAside } from '../../files/edited-file.ts';
import { describeErrno } from '../../files/file-errors.ts';
import { createKeyFile, readKeyFile } from '../../files/key-file.ts';
import { capabilityClasses, type SessionFacts } from '../types.ts';
import type { RandomBytes } from './tokens.ts';
import { openTombstones, type Tombstones } from './tombstones.ts';

const MAC_BYTES = 32;
const NAME_BYTES = 20;
/** Maximum characters of an id. Its content is limited, so a longer id cannot come from the panel. */
const MAX_ID_LENGTH = 2048;
/**
 * Maximum number of session ids that are kept in memory after they were checked, because checking the HMAC of an id takes
 * longer than everything else in a short request. The oldest ids are dropped first.
 */
const MAX_KNOWN = 1024;

interface SessionIdsOptions {
  /** Key of 256 random bits; an id opens only with the key that sealed it. */
  readonly key: Buffer;
  readonly tombstones: Tombstones;
}

/**
 * Creates and opens session ids. An id contains all facts about its session, protected by HMAC-SHA-256, so the panel needs no
 * stored state to open it after a restart. An id is neither a secret nor a credential, because each request also needs a token.
 */
export class SessionIds {
  readonly #key: Buffer;
  readonly #tombstones: Tombstones;
  readonly #known = new Map<string, SessionFacts>();

  constructor({ key, tombstones }: SessionIdsOptions) {
    this.#key = key;
    this.#tombstones = tombstones;
  }

  /** Creates an id of visible ASCII, as the protocol requires. */
  mint(facts: SessionFacts): string {
    const payload = encodeFacts(facts);
    return Buffer.concat([payload, this.#seal(payload)]).toString('base64url');
  }

  /** Returns the facts in the id; undefined if this panel did not create the id, or if its session was ended. Never throws. */
  open(id: string): SessionFacts | undefined {
    const known = this.#known.get(id);
    const facts = known ?? this.#unseal(id);
    if (!facts || this.#tombstones.has(facts.nonce)) return undefined;
    if (!known) this.#remember(id, facts);
    return facts;
  }

  /**
   * Makes the session's id invalid immediately. Resolves when the id stays invalid after a restart of the panel; never rejects.
   */
  retire(facts: SessionFacts): Promise<void> {
    return this.#tombstones.add(facts.nonce);
  }

  /**
   * Returns an HMAC of the words, which proves that the sender has the key of this data folder. A proof cannot be mistaken for
   * a session id, because no content of an id begins with `proof`.
   */
  proofOf(words: string): string {
    return this.#seal(Buffer.from(`proof ${words}`)).toString('base64url');
  }

  /**
   * Returns the name by which files of the data folder refer to a server. The name is an HMAC: from a plain hash, somebody who
   * reads the files could find out a secret in the server's entry by trying values. @param key `serverKey` of the server's
   * configuration
   */
  nameOf(key: string): string {
    return this.#seal(Buffer.from(`name ${key}`)).toString('hex', 0, NAME_BYTES);
  }

  #remember(id: string, facts: SessionFacts): void {
    this.#known.set(id, facts);
    if (this.#known.size <= MAX_KNOWN) return;
    const [oldest] = this.#known.keys();
    this.#known.delete(oldest!);
  }

  #unseal(id: string): SessionFacts | undefined {
    if (id.length > MAX_ID_LENGTH) return undefined;
    const bytes = Buffer.from(id, 'base64url');
    // The decoder skips characters outside base64url, so without this check many texts would decode to the same id.
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== id) return undefined;
    const payload = bytes.subarray(0, -MAC_BYTES);
    if (!timingSafeEqual(this.#seal(payload), bytes.subarray(-MAC_BYTES))) return undefined;
    return decodeFacts(payload);
  }

  #seal(payload: Uint8Array): Buffer {
    return createHmac('sha256', this.#key).update(payload).digest();
  }
}

/** Version of the payload format. A payload in another version is read as an unknown session. */
const FORM = 1;
const MAX_TEXT_LENGTH = 64;
/** An id stores its capability class as an index into `capabilityClasses`, so the order in that list must never change. */

/** Encodes the facts as compact JSON. */
function encodeFacts({
  nonce,
  clientId,
  server,
  protocolVersion,
  capabilities,
  info,
  issuedAt,
}: SessionFacts): Buffer {
  const fields = [FORM, nonce, clientId, server, protocolVersion, capabilityClasses.indexOf(capabilities)];
  const about = info ? [info.name, info.version].map((text) => text.slice(0, MAX_TEXT_LENGTH)) : [null, null];
  return Buffer.from(JSON.stringify([...fields, ...about, issuedAt]));
}

/** Decodes a payload with a valid seal; undefined for another format, such as that of a later version. */
function decodeFacts(payload: Uint8Array): SessionFacts | undefined {
  const fields = parse(payload);
  if (!Array.isArray(fields) || fields[0] !== FORM) return undefined;
  const [, nonce, clientId, server, protocolVersion, place, name, version, issuedAt] = fields as unknown[];
  const capabilities = capabilityClasses[Number(place)];
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

/** Returns the parsed JSON; undefined if the content is not JSON, as it may be in an id from a later version of the panel. */
const parse = (payload: Uint8Array): unknown => parsedJson(Buffer.from(payload).toString('utf8'));

interface OpenSessionIdsOptions {
  /** Absolute path of the data folder, with `gateway-key` (hexadecimal) and `gateway-ended`, readable only by their owner. */
  readonly home: string;
  readonly randomBytes: RandomBytes;
  /** Receives one sentence that says why client sessions will not outlive the panel. Must not throw. */
  readonly onProblem: (message: string) => void;
}

/**
 * Opens the session ids of this data folder. The key is created at the first time, and then read from its file. Never rejects:
 * if the file cannot be used, a key is created that lasts until the panel ends.
 */
export async function openSessionIds(options: OpenSessionIdsOptions): Promise<SessionIds> {
  const { home, onProblem } = options;
  const [key, tombstones] = await Promise.all([
    openKey(options),
    openTombstones({ path: join(home, 'gateway-ended'), onProblem }),
  ]);
  return new SessionIds({ key, tombstones });
}

async function openKey(options: OpenSessionIdsOptions): Promise<Buffer> {
  const { home, onProblem } = options;
  const path = join(home, 'gateway-key');
  const known = await readKeyFile(path);
  if (known.kind === 'key') return known.key;
  if (known.kind === 'unusable') {
    const aside = setAside(path);
    onProblem(
      `${path} contains no key, so client sessions end now: ${known.reason}` +
        (aside === undefined ? '' : `; it was renamed to ${aside}`),
    );
  }
  const { key, error } = await createKeyFile(path, options.randomBytes);
  if (error !== undefined)
    onProblem(`sessions of clients end with the panel: ${path} was not written: ${describeErrno(error)}`);
  return key;
}
