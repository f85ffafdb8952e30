import { once } from 'node:events';
import { createServer, request as send, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface BearerProxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Passes everything on to `target` with a bearer token, because the suite has no option for headers. Listens on 127.0.0.1.
 * @param changed what becomes of the text of each request
 */
export async function openBearerProxy(
  target: string,
  token: string,
  changed?: (body: string) => string,
): Promise<BearerProxy> {
  const { host, hostname, port, pathname } = new URL(target);
  const proxy = createServer((request, response) => {
    const own = request.socket.localPort ?? 0;
    const headers = withToken(request.headers, `127.0.0.1:${own}`, host, token);
    if (changed) delete (headers as IncomingHttpHeaders)['content-length'];
    const onward = send({ hostname, port, path: request.url, method: request.method, headers });
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      response.flushHeaders();
      answer.pipe(response);
    });
    onward.on('error', (error) => response.destroy(error));
    response.on('close', () => onward.destroy());
    if (changed) void text(request).then((body) => onward.end(changed(body)));
    else request.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}`;
  return {
    url,
    close: async () => {
      proxy.closeAllConnections();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}

/** A foreign host or origin stays as it came: whether it is refused is a part of the suite. */
function withToken(headers: IncomingHttpHeaders, own: string, host: string, token: string) {
  const { origin } = headers;
  return {
    ...headers,
    host: headers.host === own ? host : headers.host,
    ...(origin !== undefined && { origin: origin === `http://${own}` ? `http://${host}` : origin }),
    authorization: `Bearer ${token}`,
  };
}
