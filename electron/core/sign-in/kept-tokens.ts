import { PanelError } from '../../../shared/error-codes.ts';
import type { WallClock } from '../clock.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Granted } from './grants.ts';
import { keyOfClient, registrationIn, signInIn, type Registration, type SignIn } from './kept-sign-in.ts';
import { readIssuer } from './metadata.ts';

export interface KeptTokensOptions {
  readonly store: Pick<SecretStore, 'onChanged' | 'putSignIn' | 'signIns'>;
  readonly wallClock: WallClock;
  /** Called with tokens before they are used, so that they can be redacted wherever they occur. */
  readonly declare: (tokens: readonly string[]) => void;
  /** Called after an attempt to store a sign-in. If it failed, `problem` says why, and the sign-in is lost when the app quits. */
  readonly onKept: (key: string, problem: PanelError | undefined) => void;
  /** Called when the encrypted store of secrets was opened and the sign-ins were read from it. */
  readonly onRead: () => void;
}

/**
 * Values of the earlier sign-in or of the request. They are kept for the new tokens if the issuer does not return other values.
 */
type Before = Pick<SignIn, 'issuer' | 'resource'> &
  Partial<Pick<SignIn, 'account' | 'refreshToken'>> & { readonly scopes: readonly string[] };

/** Loads the module with the OAuth library, at the first sign-in. */
export const loadGrants = () => import('./grants.ts');

/** Stores tokens and client ids in the encrypted store of secrets, and renews tokens. */
export class KeptTokens {
  readonly #options: KeptTokensOptions;
  readonly #signIns = new Map<string, SignIn>();
  /** Client ids by issuer. They are also kept in memory, because the encrypted store cannot always be written. */
  readonly #clients = new Map<string, Registration | undefined>();
  readonly #renewals = new Map<string, Promise<SignIn>>();
  readonly dispose: () => void;

  constructor(options: KeptTokensOptions) {
    this.#options = options;
    this.#read();
    this.dispose = options.store.onChanged(({ isOpened }) => {
      if (!isOpened) return;
      this.#read();
      options.onRead();
    });
  }

  get(key: string): SignIn | undefined {
    return this.#signIns.get(key);
  }

  /** Returns the client id of the panel at an issuer. */
  clientAt(issuer: string): Registration | undefined {
    return this.#clients.has(issuer)
      ? this.#clients.get(issuer)
      : registrationIn(this.#options.store.signIns.get(keyOfClient(issuer)));
  }

  /** @throws PanelError as `SecretStore.put` */
  putClient(issuer: string, client: Registration | undefined): Promise<void> {
    this.#clients.set(issuer, client);
    return this.#options.store.putSignIn(keyOfClient(issuer), client);
  }

  /** Stores a sign-in encrypted before it is used. If that fails, it is kept only until the app quits. Never rejects. */
  async keep(key: string, granted: Granted, before: Before): Promise<SignIn> {
    const { declare, onKept, store, wallClock } = this.#options;
    const now = wallClock.epochMs();
    const { accessToken, expiresInMs, account = before.account } = granted;
    const { refreshToken = before.refreshToken, scopes = before.scopes } = granted;
    const signIn: SignIn = {
      ...{ kind: 'sign-in', resource: before.resource, issuer: before.issuer, scopes: [...scopes] },
      ...(account !== undefined && { account }),
      ...(refreshToken !== undefined && { refreshToken }),
      ...(expiresInMs !== undefined && { expiresAt: now + expiresInMs }),
      ...{ accessToken, grantedAt: now },
    };
    declare(tokensIn(signIn));
    const problem = await store.putSignIn(key, signIn).then(() => undefined, notSealed);
    this.#signIns.set(key, signIn);
    onKept(key, problem);
    return signIn;
  }

  /**
   * Gets new tokens for a sign-in. Only one renewal per sign-in runs at a time, because an issuer may end the whole sign-in if
   * a refresh token is used twice (RFC 9700 §4.14.2).
   * @throws PanelError SIGN_IN_REQUIRED when the sign-in can no longer be renewed, UNREACHABLE when that cannot be determined
   */
  renew(key: string, signIn: SignIn, reach: () => Promise<FetchLike>): Promise<SignIn> {
    const running = this.#renewals.get(key);
    if (running) return running;
    const renewal = this.#renewNow(key, signIn, reach).finally(() => this.#renewals.delete(key));
    this.#renewals.set(key, renewal);
    return renewal;
  }

  /** Removes a sign-in; revokes its tokens first if the issuer supports it. @throws PanelError if the store cannot be written */
  async end(key: string, signIn: SignIn, reach: () => Promise<FetchLike>): Promise<void> {
    this.#signIns.delete(key);
    await this.#revoke(signIn, reach).catch(() => undefined);
    await this.#options.store.putSignIn(key, undefined);
  }

  async #renewNow(key: string, signIn: SignIn, reach: () => Promise<FetchLike>): Promise<SignIn> {
    const { refreshToken, issuer, resource } = signIn;
    const client = this.clientAt(issuer);
    if (refreshToken === undefined || !client)
      throw new PanelError('SIGN_IN_REQUIRED', 'The sign-in cannot be renewed.');
    const [fetch, { renew }] = await Promise.all([reach(), loadGrants()]);
    const place = { issuer: await readIssuer(issuer, fetch), resource };
    return this.keep(key, await renew(place, client, refreshToken, fetch), signIn);
  }

  async #revoke(signIn: SignIn, reach: () => Promise<FetchLike>): Promise<void> {
    const client = this.clientAt(signIn.issuer);
    if (!client) return;
    const [fetch, { revoke }] = await Promise.all([reach(), loadGrants()]);
    const issuer = await readIssuer(signIn.issuer, fetch);
    for (const token of tokensIn(signIn).reverse()) await revoke(issuer, client, token, fetch);
  }

  #read(): void {
    for (const [key, kept] of this.#options.store.signIns) {
      const signIn = signInIn(kept);
      if (!signIn || this.#signIns.has(key)) continue;
      this.#options.declare(tokensIn(signIn));
      this.#signIns.set(key, signIn);
    }
  }
}

const tokensIn = ({ accessToken, refreshToken }: SignIn): string[] => [
  accessToken,
  ...(refreshToken === undefined ? [] : [refreshToken]),
];

const notSealed = (cause: unknown): PanelError =>
  new PanelError('SECRET_MISSING', 'The sign-in ends with the panel: its tokens could not be sealed.', {
    remedy: 'Choose where the key of the secrets is kept, in the settings, then sign in again.',
    cause,
  });
