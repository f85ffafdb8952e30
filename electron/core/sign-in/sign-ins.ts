import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { PanelError, toErrorReport } from '../../../shared/error-codes.ts';
import { workloadPlaceOf } from '../../../shared/panel-settings.ts';
import type { RemoteServerConfig } from '../../../shared/server-config.ts';
import type { SignInView } from '../../../shared/sign-in.ts';
import type { Disposable } from '../clock.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { HttpClient, HttpClientOptions } from '../supervisor/remote/http-client.ts';
import { hasCredential, remoteTarget } from '../supervisor/remote/remote-target.ts';
import type { TokenRefusal, TokenSource } from '../supervisor/remote/signed-fetch.ts';
import { readTlsTrust } from '../supervisor/remote/tls-trust.ts';
import { createGuardedFetch } from './guarded-fetch.ts';
import { KeptTokens, type KeptTokensOptions, loadGrants } from './kept-tokens.ts';
import { keyOfSignIn, type SignIn } from './kept-sign-in.ts';
import { covers, describesSignIn, discover, type Challenge } from './metadata.ts';
import { beginFlow, type BeginFlowOptions, type OpenFlow } from './open-flow.ts';

interface SignInsOptions
  extends
    Pick<KeptTokensOptions, 'declare'>,
    Pick<BeginFlowOptions, 'clock' | 'createVerifier' | 'wallClock'> {
  readonly store: KeptTokensOptions['store'] & Pick<SecretStore, 'settled'>;
  readonly openHttp: (options: HttpClientOptions) => HttpClient;
  /** Called when the sign-in state that `view` returns for a server has changed. */
  readonly onChanged: (server: string) => void;
  /** Called when the user has signed in, so that the server can continue. */
  readonly onSignedIn: (server: string) => void;
}

/** Share of a token's lifetime after which the next use of the token renews it. */
const RENEWED_AT = 0.8;
/** A token is no longer sent from this many milliseconds before its expiry. */
const LEEWAY_MS = 5000;

/** What is known about the sign-in of one server. */
interface Known {
  config: RemoteServerConfig;
  challenge: Challenge;
  isNeeded: boolean;
  issuer?: string | undefined;
  asksClientId?: boolean;
  problem?: PanelError | undefined;
  flow?: OpenFlow | undefined;
  beginning?: Promise<void> | undefined;
}

/**
 * Sign-ins of the user at remote servers (MCP, authorization). Determines which servers require a sign-in, which have one, and
 * which token is sent with a request. The caller disposes.
 */
export class SignIns implements Disposable {
  readonly #options: SignInsOptions;
  readonly #known = new Map<string, Known>();
  readonly #tokens: KeptTokens;

  constructor(options: SignInsOptions) {
    this.#options = options;
    this.#tokens = new KeptTokens({
      ...options,
      onKept: (key, problem) => {
        for (const known of this.#sharing(key)) known.problem = problem;
        this.#changed(key);
      },
      onRead: () => {
        for (const name of this.#known.keys()) options.onChanged(name);
      },
    });
  }

  /** Returns the token source for a run; undefined if its headers have a credential or it is behind a forwarded port. */
  tokensOf(config: RemoteServerConfig): TokenSource | undefined {
    if (hasCredential(remoteTarget(config).headers)) return undefined;
    // A server behind a forwarded port has no tokens, because its URL leads to a different place on other machines.
    if (workloadPlaceOf(config.panel.runOn)?.port !== undefined) return undefined;
    const known = this.#knownOf(config);
    // In the configuration of a run, references such as `${NAME}` are already replaced by their values.
    known.config = config;
    return { token: () => this.#token(known), refused: (refusal) => this.#refused(known, refusal) };
  }

  /** Returns the state of the sign-in for the user; undefined if the server needs no sign-in and has none. */
  view(config: RemoteServerConfig): SignInView | undefined {
    const known = this.#known.get(config.name);
    const signIn = this.#tokens.get(idOf(known?.config ?? config));
    const { flow, isNeeded, problem, asksClientId, issuer = signIn?.issuer } = known ?? {};
    if (!signIn && !isNeeded && !flow) return undefined;
    const shared = {
      ...(issuer !== undefined && { issuer }),
      ...(asksClientId && { asksClientId }),
      ...(problem && { problem: toErrorReport(problem, 'SIGN_IN_REQUIRED') }),
    };
    if (flow) return { state: 'open', until: flow.expiresAt, ...shared };
    if (isNeeded || !signIn) return { state: 'needed', ...shared };
    const { account, expiresAt, refreshToken } = signIn;
    return {
      state: 'signed-in',
      ...(account !== undefined && { account }),
      ...(expiresAt !== undefined && { until: expiresAt }),
      ...(refreshToken !== undefined && { renews: true }),
      ...shared,
    };
  }

  /** Begins a sign-in, or returns the one in progress. @throws PanelError SIGN_IN_REQUIRED, UNREACHABLE */
  async begin(config: RemoteServerConfig): Promise<{ authorizationUrl: string; expiresAt: number }> {
    const known = this.#knownOf(config);
    known.beginning ??= known.flow ? undefined : this.#begin(known);
    await known.beginning;
    const { url, expiresAt } = known.flow!;
    return { authorizationUrl: url, expiresAt };
  }

  /** Ends a sign-in: revokes its tokens if the issuer can, and removes them. @throws PanelError if the store cannot be written */
  async end(config: RemoteServerConfig): Promise<void> {
    const known = this.#knownOf(config);
    this.#endFlow(known);
    const key = idOf(known.config);
    const signIn = this.#tokens.get(key);
    if (signIn) {
      for (const other of this.#sharing(key)) other.isNeeded = true;
      await this.#tokens.end(key, signIn, () => this.#fetchFor(known));
    }
    this.#changed(key);
  }

  /** Stores a client id that the user entered for the server's issuer. @throws PanelError as `begin` and `SecretStore.put` */
  async setClientId(config: RemoteServerConfig, clientId: string, clientSecret?: string): Promise<void> {
    const known = this.#knownOf(config);
    const { url } = remoteTarget(known.config);
    const { issuer } = await discover(url, known.challenge, await this.#fetchFor(known));
    const { secretMethodOf } = await loadGrants();
    await this.#tokens.putClient(issuer.issuer, {
      kind: 'client',
      clientId,
      ...(clientSecret !== undefined && { clientSecret }),
      method: clientSecret === undefined ? 'none' : secretMethodOf(issuer),
    });
    known.asksClientId = false;
    this.#options.onChanged(config.name);
  }

  dispose(): void {
    this.#tokens.dispose();
    for (const known of this.#known.values()) this.#endFlow(known);
  }

  #knownOf(config: RemoteServerConfig): Known {
    const known = this.#known.get(config.name) ?? { config, challenge: {}, isNeeded: false };
    this.#known.set(config.name, known);
    return known;
  }

  async #begin(known: Known): Promise<void> {
    const { challenge, config } = known;
    const earlier = challenge.scope === undefined ? [] : (this.#tokens.get(idOf(config))?.scopes ?? []);
    try {
      const fetch = await this.#fetchFor(known);
      const place = await discover(remoteTarget(config).url, challenge, fetch);
      known.issuer = place.issuer.issuer;
      known.flow = await beginFlow(place, earlier, fetch, {
        ...this.#options,
        tokens: this.#tokens,
        onAnswer: (answer) => this.#answered(known, answer),
        onOver: () => {
          this.#endFlow(known);
          this.#options.onChanged(config.name);
        },
      });
      known.problem = undefined;
    } catch (error) {
      known.isNeeded = true;
      known.problem = error instanceof PanelError ? error : undefined;
      known.asksClientId = known.problem?.data?.['asksClientId'] === true;
      throw error;
    } finally {
      known.beginning = undefined;
      this.#options.onChanged(config.name);
    }
  }

  async #answered(known: Known, answer: URL): Promise<'done' | 'failed' | 'foreign'> {
    const { flow } = known;
    if (!flow || answer.searchParams.get('state') !== flow.state) return 'foreign';
    this.#endFlow(known);
    const { resource, issuer } = flow.place;
    try {
      const [fetch, { finish }] = await Promise.all([this.#fetchFor(known), loadGrants()]);
      const granted = await finish(flow, answer, fetch);
      const key = idOf(known.config);
      await this.#tokens.keep(key, granted, { resource, issuer: issuer.issuer, scopes: flow.scopes });
      for (const other of this.#sharing(key)) {
        other.isNeeded = false;
        this.#options.onSignedIn(other.config.name);
      }
      this.#changed(key);
      return 'done';
    } catch (error) {
      known.problem = error instanceof PanelError ? error : undefined;
      // The issuer no longer knows the panel's registration, so it is deleted here, and the next attempt registers again.
      if (known.problem?.data?.['oauthError'] === 'invalid_client' && flow.client.port !== undefined)
        await this.#tokens.putClient(issuer.issuer, undefined).catch(() => undefined);
      this.#options.onChanged(known.config.name);
      return 'failed';
    }
  }

  #token(known: Known): string | undefined | Promise<string | undefined> {
    const signIn = this.#usable(known);
    if (!signIn) return undefined;
    const { accessToken, expiresAt, grantedAt, refreshToken } = signIn;
    const now = this.#options.wallClock.epochMs();
    if (expiresAt === undefined || refreshToken === undefined) return accessToken;
    if (now < grantedAt + (expiresAt - grantedAt) * RENEWED_AT) return accessToken;
    const renewed = this.#renew(known, signIn).then(
      (next) => next.accessToken,
      () => accessToken,
    );
    return now < expiresAt - LEEWAY_MS ? accessToken : renewed;
  }

  /** Returns the sign-in of a server if its token may be sent to the server's address. */
  #usable({ config }: Known): SignIn | undefined {
    const signIn = this.#tokens.get(idOf(config));
    return signIn && covers(signIn.resource, remoteTarget(config).url) ? signIn : undefined;
  }

  async #refused(known: Known, { token, isRepeated, status, ...challenge }: TokenRefusal) {
    await this.#options.store.settled;
    const signIn = this.#usable(known);
    if (signIn && status === 401 && !isRepeated) {
      if (signIn.accessToken !== token) return signIn.accessToken;
      const next = await this.#renewed(known, signIn);
      if (next !== undefined) return next;
    }
    const wanted = challenge.scope?.split(' ') ?? [];
    // The token already has the scopes that the server asks for, so another sign-in would not help.
    if (status === 403 && wanted.every((scope) => signIn?.scopes.includes(scope))) return undefined;
    if (!signIn && challenge.resourceMetadataUrl === undefined) {
      const fetch = await this.#fetchFor(known);
      if (!(await describesSignIn(remoteTarget(known.config).url, fetch))) return undefined;
    }
    known.challenge = challenge;
    known.isNeeded = true;
    this.#options.onChanged(known.config.name);
    throw signInRequired(known.config.name);
  }

  /** Renews the tokens. Returns the access token, or undefined if the user must sign in again. @throws PanelError UNREACHABLE */
  async #renewed(known: Known, signIn: SignIn): Promise<string | undefined> {
    try {
      return (await this.#renew(known, signIn)).accessToken;
    } catch (error) {
      if (error instanceof PanelError && error.code === 'SIGN_IN_REQUIRED') return undefined;
      throw error;
    }
  }

  #renew(known: Known, signIn: SignIn): Promise<SignIn> {
    return this.#tokens.renew(idOf(known.config), signIn, () => this.#fetchFor(known));
  }

  /** Returns a `fetch` for addresses that the server or an issuer names, which limits where requests go. */
  async #fetchFor({ config }: Known): Promise<FetchLike> {
    const { clock, openHttp } = this.#options;
    // Certificates of issuers are always checked: a user who disables the check for a server does not thereby trust every
    // issuer.
    const { extraRoots } = await readTlsTrust(config);
    const { fetch } = openHttp({ tls: { verify: true, extraRoots } });
    return createGuardedFetch(fetch, clock, remoteTarget(config).url);
  }

  #endFlow(known: Known): void {
    known.flow?.dispose();
    known.flow = undefined;
  }

  #sharing(key: string): Known[] {
    return [...this.#known.values()].filter(({ config }) => idOf(config) === key);
  }

  #changed(key: string): void {
    for (const { config } of this.#sharing(key)) this.#options.onChanged(config.name);
  }
}

/**
 * Returns the key of an entry's sign-in. Entries with the same URL that name the same account share a sign-in. An entry without
 * an account has its own.
 */
const idOf = ({ name, url, panel: { account } }: RemoteServerConfig): string =>
  keyOfSignIn(JSON.stringify([account ?? '', account === undefined ? name : '', url]));

const signInRequired = (server: string): PanelError =>
  new PanelError('SIGN_IN_REQUIRED', `"${server}" asks for a sign-in.`, {
    remedy: `Sign in to "${server}" in MCP Control Panel.`,
    short: { phrase: 'sign in to go on' },
  });
