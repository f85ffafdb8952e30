import { PanelError } from '../../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { GivenClientId, signInCalls } from '../../../../shared/ipc/topics/sign-in.ts';
import type { RemoteServerConfig } from '../../../../shared/server-config.ts';
import type { SignIns } from '../../sign-in/sign-ins.ts';
import type { Fleet } from '../../supervisor/fleet.ts';

interface SignInTopicOptions {
  readonly signIns: SignIns;
  readonly fleet: Pick<Fleet, 'get'>;
  /** Opens a page in the user's browser. Absent if the window only shows the address. */
  readonly openBrowser?: ((url: string) => void) | undefined;
}

/** Requests of the app window about signing in to remote servers (OAuth). */
export function signInTopic({ signIns, fleet, openBrowser }: SignInTopicOptions) {
  const remote = (name: string): RemoteServerConfig => {
    const { config } = fleet.get(name);
    if (config.transport !== 'stdio') return config;
    throw new PanelError('CONFIG_INVALID', `${name} is a program on this machine, which has no sign-in.`);
  };
  return {
    /** Begins a sign-in in the browser. @throws SERVER_UNKNOWN, CONFIG_INVALID if there is no address; as `SignIns.begin` */
    signIn: async (name: string) => {
      const begun = await signIns.begin(remote(name));
      openBrowser?.(begun.authorizationUrl);
      return begun;
    },
    /** Signs out of a server. @throws SERVER_UNKNOWN, CONFIG_INVALID */
    signOut: async (name: string) => signIns.end(remote(name)),
    /** Sets the client id with which the panel signs in. @throws SERVER_UNKNOWN, CONFIG_INVALID; as `SignIns.setClientId` */
    setClientId: async ({ name, clientId, clientSecret }: GivenClientId) =>
      signIns.setClientId(remote(name), clientId, clientSecret),
  } satisfies CallAnswers<typeof signInCalls>;
}
