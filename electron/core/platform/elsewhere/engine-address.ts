import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { DockerPlace } from '../../../../shared/panel-settings.ts';
import { nameOfPlace } from '../../../../shared/run-host.ts';
import { dockerFolder, readContext, socketOf } from '../containers/engine-socket.ts';
import { connect as connectSocket, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { agentsBy, type EngineAgents } from '../containers/engine-api.ts';
import { SshTunnel, ProgramSocket, type SshTunnelOptions } from './ssh-tunnel.ts';

interface TlsFiles {
  readonly ca?: Buffer | undefined;
  readonly cert?: Buffer | undefined;
  readonly key?: Buffer | undefined;
  readonly rejectUnauthorized: boolean;
}

type EngineAddress =
  | { readonly kind: 'socket'; readonly socketPath: string }
  | {
      readonly kind: 'tcp';
      readonly host: string;
      readonly port: number;
      readonly tls?: TlsFiles | undefined;
    }
  /** Arguments of `ssh` that connect to the API through its standard streams. */
  | { readonly kind: 'ssh'; readonly words: readonly string[] };

/** Interval in seconds at which `ssh` checks its connection; a dead connection ends after twice this time. */
const SSH_ALIVE_S = 4;
/** Options of `ssh`: no prompts, because no user could answer them, and detection of dead connections. */
const SSH_OPTIONS = [
  '-T',
  ...[
    'BatchMode=yes',
    'ConnectTimeout=20',
    `ServerAliveInterval=${SSH_ALIVE_S}`,
    'ServerAliveCountMax=2',
  ].flatMap((option) => ['-o', option]),
];

/**
 * Returns the address of the engine of a docker context or host. @param env environment of the docker client, which specifies
 * where its settings and certificates are @throws PanelError CONFIG_INVALID for a context that does not exist, or an address of
 * an unknown kind
 */
export async function engineAddressOf(
  place: DockerPlace,
  env: Readonly<Record<string, string | undefined>>,
): Promise<EngineAddress> {
  const folder = dockerFolder(env);
  const context = 'context' in place ? await readContext(folder, place.context) : undefined;
  const host = 'context' in place ? context?.host : place.host;
  if (host === undefined) throw invalid(`the docker client has no context "${nameOfPlace(place)}"`);
  if (host.startsWith('ssh://')) return { kind: 'ssh', words: sshWords(host) };
  const found = socketOf(host);
  if (found === undefined) throw invalid(`"${host}" is not an ssh://, tcp:// or unix:// address`);
  if ('socketPath' in found) return { kind: 'socket', socketPath: found.socketPath };
  const wantsTls = context === undefined && Boolean(env['DOCKER_TLS_VERIFY']);
  const tlsFolder = context?.tlsFolder ?? (wantsTls ? (env['DOCKER_CERT_PATH'] ?? folder) : undefined);
  const tls = tlsFolder && (await tlsFilesIn(tlsFolder, context?.skipsVerification ?? false));
  return { kind: 'tcp', ...found, ...(tls && { tls }) };
}

/** Reads the certificates and the key for TLS. Undefined if the folder has none; the connection is then unencrypted. */
async function tlsFilesIn(folder: string, skipsVerification: boolean): Promise<TlsFiles | undefined> {
  const read = (name: string) => readFile(join(folder, name)).catch(() => undefined);
  const [ca, cert, key] = await Promise.all(['ca.pem', 'cert.pem', 'key.pem'].map(read));
  const hasAny = ca !== undefined || cert !== undefined;
  return hasAny || skipsVerification ? { ca, cert, key, rejectUnauthorized: !skipsVerification } : undefined;
}

/** Arguments of `ssh`, in the order that the docker client uses. @throws PanelError CONFIG_INVALID */
function sshWords(address: string): readonly string[] {
  let url: URL;
  try {
    url = new URL(address);
  } catch {
    throw invalid(`"${address}" is not an ssh:// address`);
  }
  const { hostname, pathname, port, username } = url;
  // `ssh` passes the path to a shell of the other machine, so it must not contain characters that a shell interprets.
  if (hostname === '' || !/^[\w./-]*$/.test(pathname)) throw invalid(`"${address}" is not an ssh:// address`);
  const socket = pathname.length > 1 ? ['--host', `unix://${pathname}`] : [];
  return [
    ...SSH_OPTIONS,
    ...(username ? ['-l', decodeURIComponent(username)] : []),
    ...(port ? ['-p', port] : []),
    '--',
    hostname.replace(/^\[|\]$/g, ''),
    ...['docker', ...socket, 'system', 'dial-stdio'],
  ];
}

const invalid = (what: string): PanelError =>
  new PanelError('CONFIG_INVALID', `The engine of "runOn" cannot be reached: ${what}.`, {
    remedy: 'Correct "runOn" in the configuration. "docker context ls" lists the contexts.',
  });

interface EngineAgentDeps extends SshTunnelOptions {
  readonly isWindows: boolean;
}

/** Maximum `ssh` connections that sign in at the same time. An SSH server refuses more if many have not signed in yet. */
const MAX_DIALS = 3;

/** Creates the HTTP agents that open the connections to one engine. The caller must destroy both agents. */
export function createEngineAgents(address: EngineAddress, deps: EngineAgentDeps): EngineAgents {
  const dials = new DialQueue();
  // OpenSSH on Windows does not forward sockets, so there every connection starts its own `ssh`.
  const tunnel = address.kind === 'ssh' && !deps.isWindows && new SshTunnel(deps, address.words);
  const byItself = () => connectionTo(address, deps, dials);
  if (!tunnel) return agentsBy(byItself);
  return { ...agentsBy(() => tunnel.connect(byItself)), close: () => tunnel.close() };
}

function connectionTo(address: EngineAddress, deps: EngineAgentDeps, dials: DialQueue): Duplex {
  if (address.kind === 'socket') return connectSocket({ path: address.socketPath });
  if (address.kind === 'ssh') {
    let leave = (): void => undefined;
    const socket = new ProgramSocket(async () => {
      leave = await dials.enter();
      return deps.spawnSsh(address.words);
    }, deps.signaller);
    // The first bytes arrive once the sign-in has succeeded, so the next `ssh` may sign in then.
    return socket.once('spoke', () => leave()).once('close', () => leave());
  }
  const { host, port, tls } = address;
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return tls ? connectTls({ host, port, ...servername, ...tls }) : connectSocket({ host, port });
}

class DialQueue {
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  /** Waits for a free slot. Resolves to the function that releases the slot; only the first call of that function counts. */
  async enter(): Promise<() => void> {
    if (this.#inside >= MAX_DIALS) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#inside += 1;
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#inside -= 1;
      this.#waiting.shift()?.();
    };
  }
}
