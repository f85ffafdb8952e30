import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { replyFromBundle } from '../../electron/shell/app/bundle-files.ts';

export interface PageServer {
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves a built renderer on loopback with the answers of the app's own scheme: its files, its headers, its policy. */
export async function servePage(rendererFolder: string): Promise<PageServer> {
  const server = createServer((request, response) => {
    const { method = 'GET', url = '/' } = request;
    const answer = replyFromBundle(rendererFolder, { method, url: `http://127.0.0.1${url}` });
    response.writeHead(answer.statusCode, answer.headers);
    response.end(answer.data);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
