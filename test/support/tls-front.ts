import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createServer, type TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';

const fixture = (name: string) => readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url), 'utf8');

export interface TlsFront {
  /** While it is cut, its connections end at once. */
  setCut(isCut: boolean): void;
}

/**
 * Offers the engine of a socket over TCP with TLS, to clients with the right certificate alone. Writes a context of the docker
 * client that leads there into `folder`, its folder of settings.
 */
export async function offerByTls(socketPath: string, folder: string, context: string): Promise<TlsFront> {
  const [cert, key] = [fixture('certificate.pem'), fixture('key.pem')];
  const server = createServer({ cert, key, ca: cert, requestCert: true, rejectUnauthorized: true });
  const sockets = new Set<TLSSocket>();
  let isCutNow = false;
  server.on('secureConnection', (socket) => {
    if (isCutNow) return void socket.destroy();
    sockets.add(socket);
    const engine = connect(socketPath);
    for (const one of [socket, engine]) one.on('error', () => undefined);
    socket.on('close', () => engine.destroy());
    socket.pipe(engine).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const hash = createHash('sha256').update(context).digest('hex');
  const { port } = server.address() as AddressInfo;
  const host = `tcp://localhost:${port}`;
  const meta = join(folder, 'contexts/meta', hash);
  const tls = join(folder, 'contexts/tls', hash, 'docker');
  for (const one of [meta, tls]) mkdirSync(one, { recursive: true });
  writeFileSync(
    join(meta, 'meta.json'),
    JSON.stringify({ Name: context, Endpoints: { docker: { Host: host } } }),
  );
  const files = { 'ca.pem': cert, 'cert.pem': cert, 'key.pem': key };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(tls, name), text);
  return {
    setCut: (isCut) => {
      isCutNow = isCut;
      if (isCut) for (const socket of sockets) socket.destroy();
    },
  };
}
