import { PanelError } from '../../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { GivenClientId, signInCalls } from '../../../../shared/ipc/topics/sign-in.ts';
import type { RemoteServerConfig } from '../../../../shared/server-config.ts';
import type { SignIns } from '../../sign-in/sign-ins.ts';
import type { Fleet } from '../../supervisor/fleet.ts';

export interface SignInTopicOptions {
  readonly signIns: SignIns;
  readonly fleet: Pick<Fleet, 'get'>;
  /** Opens a page in the person's browser; absent where only the address is given. */
  readonly openBrowser?: ((url: string) => void) | undefined;
}

/** Sign-ins of remote servers. */
export class SignInTopic implements CallAnswers<typeof signInCalls> {
  readonly #options: SignInTopicOptions;

  constructor(options: SignInTopicOptions) {
    this.#options = options;
  }

  /** @throws SERVER_UNKNOWN, CONFIG_INVALID for a server without an address; as `SignIns.begin` */
  async signIn(name: string): Promise<{ authorizationUrl: string; expiresAt: number }> {
    const { signIns, openBrowser } = this.#options;
    const begun = await signIns.begin(this.#remote(name));
    openBrowser?.(begun.authorizationUrl);
    return begun;
  }

  /** @throws SERVER_UNKNOWN, CONFIG_INVALID */
  signOut(name: string): Promise<void> {
    return this.#options.signIns.end(this.#remote(name));
  }

  /** @throws SERVER_UNKNOWN, CONFIG_INVALID; as `SignIns.setClientId` */
  setClientId({ name, clientId, clientSecret }: GivenClientId): Promise<void> {
    return this.#options.signIns.setClientId(this.#remote(name), clientId, clientSecret);
  }

  #remote(name: string): RemoteServerConfig {
    const { config } = this.#options.fleet.get(name);
    if (config.transport !== 'stdio') return config;
    throw new PanelError('CONFIG_INVALID', `${name} is a program on this machine, which has no sign-in.`);
  }
}
