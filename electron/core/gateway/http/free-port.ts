import { createServer } from 'node:net';

const TRIES = 32;
const LAST_PORT = 65_535;

/** The next port above `port` that can be listened on now; undefined where none of the nearest can. Never rejects. */
export async function nextFreePort(port: number): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(port + TRIES, LAST_PORT); next += 1)
    if (await isFree(next)) return next;
  return undefined;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
