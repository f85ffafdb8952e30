import { connect as connectSocket, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { agentsBy, type EngineAgents } from '../containers/engine-api.ts';
import type { EngineAddress } from './engine-address.ts';
import { SshTunnel, ProgramSocket, type SshTunnelOptions } from './ssh-tunnel.ts';

interface EngineAgentDeps extends SshTunnelOptions {
  readonly isWindows: boolean;
}

/** Connections of `ssh` that may be made at once; a server of SSH refuses many that have not signed in yet. */
const MAX_DIALS = 3;

/** Makes the connections to one engine. The owner destroys both agents. */
export function createEngineAgents(address: EngineAddress, deps: EngineAgentDeps): EngineAgents {
  const dials = new DialQueue();
  // OpenSSH of Windows forwards no sockets.
  const tunnel = address.kind === 'ssh' && !deps.isWindows && new SshTunnel(deps, address.words);
  const byItself = () => connectionTo(address, deps, dials);
  if (!tunnel) return agentsBy(byItself);
  return { ...agentsBy(() => connectionThrough(tunnel, byItself)), close: () => tunnel.close() };
}

function connectionThrough(tunnel: SshTunnel, byItself: () => Duplex): Duplex | Promise<Duplex> {
  if (tunnel.path !== undefined) return connectSocket({ path: tunnel.path });
  if (tunnel.isRefused) return byItself();
  return tunnel.open().then((path) => (path === undefined ? byItself() : connectSocket({ path })));
}

function connectionTo(address: EngineAddress, deps: EngineAgentDeps, dials: DialQueue): Duplex {
  if (address.kind === 'socket') return connectSocket({ path: address.socketPath });
  if (address.kind === 'ssh') {
    let leave = (): void => undefined;
    const socket = new ProgramSocket(async () => {
      leave = await dials.enter();
      return deps.spawnSsh(address.words);
    }, deps.signaller);
    // The first bytes come when somebody is signed in.
    return socket.once('spoke', () => leave()).once('close', () => leave());
  }
  const { host, port, tls } = address;
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return tls ? connectTls({ host, port, ...servername, ...tls }) : connectSocket({ host, port });
}

class DialQueue {
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  /** Resolves when there is room, to a function that makes room; only its first call counts. */
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
