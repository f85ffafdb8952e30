import type { ServerConfig } from '../../../shared/server-config.ts';
import { SignIns } from '../sign-in/sign-ins.ts';
import type { Fleet } from '../supervisor/fleet.ts';
import { createHttpClient } from '../supervisor/remote/http-client.ts';
import type { OpenedFiles } from './open-files.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import type { PanelSignals } from './panel-signals.ts';

/** Builds the sign-ins. A server that waited for one starts by itself. @param fleet called later, as it is built with them */
export function wireSignIn(
  { clock, wallClock, randomBytes }: ControlPanelOptions,
  { journal, secrets: store }: OpenedFiles,
  signals: PanelSignals,
  fleet: () => Fleet,
) {
  const signIns = new SignIns({
    ...{ clock, wallClock, store, openHttp: createHttpClient },
    createVerifier: () => randomBytes(32).toString('base64url'),
    onChanged: (name) => signals.serverChanged.emit(name),
    onSignedIn: (name) => {
      const server = fleet().find(name);
      if (server?.stateKind === 'failed' && server.view().lastError?.code === 'SIGN_IN_REQUIRED')
        server.start('configuration').catch(() => undefined);
    },
    declare: (tokens) => journal.setDeclared(tokens),
  });
  return {
    signIns,
    signInOf: (config: ServerConfig) => (config.transport === 'stdio' ? undefined : signIns.view(config)),
  };
}
