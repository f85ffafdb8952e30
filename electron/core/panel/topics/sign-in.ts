import { PanelError } from '../../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { GivenClientId, signInCalls } from '../../../../shared/ipc/topics/sign-in.ts';
import type { RemoteServerConfig } from '../../../../shared/server-config.ts';
import type { SignIns } from '../../sign-in/sign-ins.ts';
import type { Fleet } from '../../supervisor/fleet.ts';

interface SignInTopicOptions {
  readonly signIns: SignIns;
  readonly fleet: Pick<Fleet, 'get'>;
  /** Opens a page in the user's browser; absent if only the address is shown. */
  readonly openBrowser?: ((url: string) => void) | undefined;
}

/** Sign-ins of remote servers. */
export function signInTopic({ signIns, fleet, openBrowser }: SignInTopicOptions) {
  const remote = (name: string): RemoteServerConfig => {
    const { config } = fleet.get(name);
    if (config.transport !== 'stdio') return config;
    throw new PanelError('CONFIG_INVALID', `${name} is a program on this machine, which has no sign-in.`);
  };
  return {
    /** @throws SERVER_UNKNOWN, CONFIG_INVALID for a server without an address; as `SignIns.begin` */
    signIn: async (name: string) => {
      const begun = await signIns.begin(remote(name));
      openBrowser?.(begun.authorizationUrl);
      return begun;
    },
    /** @throws SERVER_UNKNOWN, CONFIG_INVALID */
    signOut: async (name: string) => signIns.end(remote(name)),
    /** @throws SERVER_UNKNOWN, CONFIG_INVALID; as `SignIns.setClientId` */
    setClientId: async ({ name, clientId, clientSecret }: GivenClientId) =>
      signIns.setClientId(remote(name), clientId, clientSecret),
  } satisfies CallAnswers<typeof signInCalls>;
}
