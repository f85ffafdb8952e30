import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** Pause after each part, because an engine tells bytes ten times a second at most. */
const PAUSE_MS = 20;
/** Bytes that pass on each connection: more than anything but a layer has. */
const PASSED_BYTES = 3 * 1024 * 1024;

export interface RegistryFront {
  /** Address by which an engine pulls, `127.0.0.1:PORT`: on the loopback an engine takes plain HTTP. */
  readonly address: string;
  /** Number of connections that have been held and are still open. */
  readonly held: number;
  /** Lets all layers pass whole from now on. */
  release(): void;
  /** Cuts all connections; from now on layers pass whole. */
  cut(): void;
  /** Cuts all connections and takes no more. */
  end(): void;
}

/** Offers a registry of images (`127.0.0.1:PORT`) by an address of its own, and holds each layer in its midst. */
export async function openRegistryFront(registry: string): Promise<RegistryFront> {
  const clients = new Set<Socket>();
  /** Connections to the registry by those of the engine. */
  const held = new Map<Socket, Socket>();
  let isHolding = true;
  const server = createServer((client) => {
    const upstream = connect(Number(registry.split(':')[1]), '127.0.0.1');
    let passedBytes = 0;
    clients.add(client);
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => {
      clients.delete(client);
      held.delete(client);
      upstream.destroy();
    });
    upstream.on('close', () => client.end());
    client.pipe(upstream);
    upstream.on('data', (part) => {
      client.write(part);
      passedBytes += part.length;
      if (!isHolding) return;
      upstream.pause();
      if (passedBytes < PASSED_BYTES) setTimeout(() => upstream.resume(), PAUSE_MS);
      else held.set(client, upstream);
    });
  });
  const release = () => {
    isHolding = false;
    for (const upstream of held.values()) upstream.resume();
  };
  const cut = () => {
    release();
    for (const client of clients) client.destroy();
  };
  const end = () => {
    server.close();
    cut();
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(end);
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get held() {
      return held.size;
    },
    release,
    cut,
    end,
  };
}
