import { parsedUrl } from '../../../shared/parsed.ts';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { AlertTest } from '../../../shared/alerts.ts';
import type { Clock } from '../clock.ts';
import type { WebhookRequest } from './webhook-request.ts';

/** Maximum time of a request including all its redirects, in ms. */
const MAX_MS = 5000;
const MAX_REDIRECTS = 3;
/** Maximum part of a response that is read, in bytes, and kept, in characters. */
const MAX_BYTES = 4096;
const MAX_CHARACTERS = 500;
/** Redirect statuses after which the same request is sent again. */
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);

export interface PostDeps {
  readonly clock: Clock;
  /** Returns a separate HTTP client, which follows no redirects. */
  readonly openHttp: () => { readonly fetch: FetchLike; close(): void };
}

/** Sends a request to a webhook. Never rejects. A result without `error` means that the request arrived. */
export async function post(
  { clock, openHttp }: PostDeps,
  address: string,
  request: WebhookRequest,
  signal?: AbortSignal,
): Promise<AlertTest> {
  const limit = new AbortController();
  const abort = () => limit.abort();
  signal?.addEventListener('abort', abort, { once: true });
  const timer = clock.setTimeout(abort, MAX_MS);
  const http = openHttp();
  try {
    const init = { method: 'POST', ...request, signal: limit.signal };
    return await follow(http.fetch, webhookUrl(address), init, MAX_REDIRECTS);
  } catch (error) {
    return { error: limit.signal.aborted ? 'It did not answer within 5 s.' : reasonOf(error) };
  } finally {
    timer.dispose();
    signal?.removeEventListener('abort', abort);
    http.close();
  }
}

async function follow(fetch: FetchLike, url: URL, init: RequestInit, left: number): Promise<AlertTest> {
  const response = await fetch(url, init);
  const { status } = response;
  const location = response.headers.get('location');
  if (!REDIRECTS.has(status) || location === null) {
    const body = await beginningOf(response);
    return { status, body, ...(!response.ok && { error: `It answered ${status}.` }) };
  }
  await response.body?.cancel();
  const next = new URL(location, url);
  // A redirect must not send information about the servers to another host, or over an unencrypted connection.
  if (next.host !== url.host || (url.protocol === 'https:' && next.protocol !== 'https:'))
    return { status, error: `It redirects to another host, ${next.host}, to which nothing was sent.` };
  if (left === 0) return { status, error: 'It redirects too many times.' };
  return follow(fetch, next, init, left - 1);
}

/** Returns the first characters of the response body. If the body breaks off, returns the part that arrived. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  try {
    for await (const part of (body ?? []) as AsyncIterable<Uint8Array>) {
      text += decoder.decode(part, { stream: true });
      bytes += part.length;
      if (bytes > MAX_BYTES) break;
    }
  } catch {
    // An incomplete body is no error: the status has already shown whether the alert arrived.
  }
  return text.slice(0, MAX_CHARACTERS);
}

/** @throws Error with a message for the user if the text is not a web address */
export function webhookUrl(address: string): URL {
  const url = /^https?:/i.test(address) ? parsedUrl(address) : undefined;
  if (url === undefined) throw new Error('Its address is neither http nor https.');
  return url;
}

const reasons: ReadonlyMap<string | undefined, string> = new Map([
  ['ECONNREFUSED', 'Nothing listens at its address.'],
  ['ENOTFOUND', 'Its host was not found.'],
  ['EAI_AGAIN', 'Its host was not found: the name service did not answer.'],
  ['ECONNRESET', 'It closed the connection.'],
]);

/** Returns the reason of an error as text. The address is left out, because it may contain a secret. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'It could not be reached.';
  const code = 'code' in error ? String(error.code) : undefined;
  return reasons.get(code) ?? (code === undefined ? error.message : `It could not be reached (${code}).`);
}
