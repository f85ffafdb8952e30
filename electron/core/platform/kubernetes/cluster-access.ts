import { Agent, type OutgoingHttpHeaders, type RequestOptions } from 'node:http';
import { isIP } from 'node:net';
import { delimiter, join } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node/dist/config.js';
import { PanelError } from '../../../../shared/error-codes.ts';
import { messageOf } from '../../../../shared/message-of.ts';
import type { ClusterPlace } from '../../../../shared/panel-settings.ts';
import type { Clock } from '../../clock.ts';
import { settlesWithin } from '../../wait.ts';
import { agentsBy, EngineApi, type Dial } from '../containers/engine-api.ts';

export interface ClusterAccessDeps {
  readonly clock: Clock;
  readonly userHome: string;
  /** The user's environment, as kubectl would get it in a terminal. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Minimum Node version, major and minor, that the Kubernetes library needs. */
const OLDEST_NODE = [22, 15] as const;
const SIGN_IN_LIMIT_MS = 30_000;

/** @throws PanelError RUNTIME_TOO_OLD */
export function requireRuntime(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new PanelError(
    'RUNTIME_TOO_OLD',
    `Servers on Kubernetes need Node ${OLDEST_NODE.join('.')} or newer, and the panel runs on ${version}.`,
  );
}

/**
 * Connects to a cluster as kubectl does: with the files in KUBECONFIG, or else `~/.kube/config`. The sign-in may use a token, a
 * certificate, a program or OIDC. @throws PanelError RUNTIME_TOO_OLD, or CONFIG_INVALID for a context that does not exist
 */
export async function clusterApiOf(
  place: ClusterPlace,
  deps: ClusterAccessDeps,
): Promise<{ readonly api: EngineApi; readonly namespace: string }> {
  requireRuntime(process.versions.node);
  // Imported only here, because the library takes a megabyte of memory that only servers on Kubernetes need.
  const { KubeConfig } = await import('@kubernetes/client-node/dist/config.js');
  const config = readConfig(() => new KubeConfig(), deps);
  const context = place.context ?? config.getCurrentContext();
  const { namespace } = config.getContextObject(context) ?? {};
  config.setCurrentContext(context);
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw invalid(`kubectl has no context "${context}"`);
  const server = new URL(cluster.server);
  const signIn = async () => {
    const options: RequestOptions = {};
    const signed = config.applyToHTTPSOptions(options);
    if (!(await settlesWithin(deps.clock, signed, SIGN_IN_LIMIT_MS)))
      throw new Error('the sign-in to the cluster is not answered');
    await signed;
    return options;
  };
  const { agent } = await signIn();
  const access = {
    prefix: server.pathname.replace(/\/$/, ''),
    headers: async () => {
      const { auth, headers } = await signIn();
      return {
        ...(headers as OutgoingHttpHeaders),
        Host: server.host,
        ...(auth && { Authorization: `Basic ${Buffer.from(auth).toString('base64')}` }),
      };
    },
  };
  const agents = agentsBy(dialBy(agent instanceof Agent ? agent : new Agent(), server));
  return {
    api: new EngineApi(agents, deps.clock, access),
    namespace: place.namespace ?? namespace ?? 'default',
  };
}

function readConfig(create: () => KubeConfig, { env, userHome }: ClusterAccessDeps): KubeConfig {
  const listed = (env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  const [first = join(userHome, '.kube', 'config'), ...others] = listed;
  const read = (path: string) => {
    const config = create();
    config.loadFromFile(path);
    return config;
  };
  try {
    const config = read(first);
    for (const path of others) config.mergeConfig(read(path), Boolean(config.currentContext));
    // Sign-in programs get the PATH of a terminal, because the panel's own PATH may lack their folders.
    for (const { exec } of config.users as { exec?: { env?: { name: string; value: string }[] } }[])
      if (exec) exec.env = [{ name: 'PATH', value: env['PATH'] ?? '' }, ...(exec.env ?? [])];
    return config;
  } catch (error) {
    throw invalid(`the settings of kubectl cannot be read: ${messageOf(error)}`);
  }
}

/**
 * Returns a function that connects to the cluster's API server with the agent that the kubeconfig specifies: over TLS, and
 * through the proxy that the kubeconfig names.
 */
function dialBy(agent: Agent, { hostname, port, protocol }: URL): Dial {
  const host = hostname.replace(/^\[|\]$/g, '');
  const { options: given } = agent as unknown as { options: { servername?: string } };
  const servername = given.servername ?? (isIP(host) === 0 ? host : '');
  const target = {
    ...{ ...given, path: null, host, servername },
    port: port || (protocol === 'https:' ? 443 : 80),
  };
  return (done) => agent.createConnection(target, done);
}

const invalid = (what: string): PanelError =>
  new PanelError('CONFIG_INVALID', `The cluster of "runOn" cannot be reached: ${what}.`, {
    remedy: 'Correct "runOn" in the configuration. "kubectl config get-contexts" lists the contexts.',
  });
