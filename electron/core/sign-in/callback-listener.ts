import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const REDIRECT_HOST = '127.0.0.1';
const REDIRECT_PATH = '/callback';
export const redirectUriAt = (port: number): string => `http://${REDIRECT_HOST}:${port}${REDIRECT_PATH}`;

/**
 * HTTP listener on this machine for the callback, which is the request with which the browser returns from the sign-in. The
 * caller of `listenForCallback` closes it.
 */
interface CallbackListener {
  readonly port: number;
  close(): void;
}

const TEXTS = {
  done: [200, 'You are signed in. You can close this page.'],
  failed: [400, 'The sign-in did not work. MCP Control Panel says why. You can close this page.'],
  foreign: [400, 'This answer belongs to no sign-in that is open here.'],
  missing: [404, 'Nothing is here.'],
} as const;

/**
 * Listens for the callback, which is the request with which the browser returns from the sign-in.
 * @param port port that was registered earlier as part of the redirect URI; if it is in use, the system chooses another one
 * @param onAnswer called with the URL of each callback; its result selects the text that the browser shows
 */
export async function listenForCallback(
  port: number | undefined,
  onAnswer: (answer: URL) => Promise<'done' | 'failed' | 'foreign'>,
): Promise<CallbackListener> {
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', `http://${REDIRECT_HOST}`);
    if (request.method !== 'GET' || url.pathname !== REDIRECT_PATH) return say(response, 'missing');
    void onAnswer(url).then((how) => say(response, how));
  });
  const isOpen = port !== undefined && (await listens(server, port));
  if (!isOpen && !(await listens(server, 0)))
    throw new Error('No port is free for the answer of the browser.');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
}

function listens(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const failed = () => resolve(false);
    server.once('error', failed);
    server.listen(port, REDIRECT_HOST, () => {
      server.off('error', failed);
      server.unref();
      resolve(true);
    });
  });
}

/** Answers with a page that contains no script and that the browser does not cache. */
function say(response: ServerResponse, text: keyof typeof TEXTS): void {
  const [status, words] = TEXTS[text];
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  response.end(`<!doctype html><title>MCP Control Panel</title><p>${words}</p>\n`);
}
