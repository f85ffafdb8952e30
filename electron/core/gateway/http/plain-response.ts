import type { ServerResponse } from 'node:http';
import { INTERNAL_ERROR } from '../../mcp/rpc-error.ts';
import type { HandlerOptions } from './handler-options.ts';
import type { Refused } from './refusal.ts';

type Pages = ReturnType<NonNullable<HandlerOptions['pages']>>;

const METRICS_TYPE = { 'Content-Type': 'application/openmetrics-text; version=1.0.0; charset=utf-8' };
const JSON_TYPE = { 'Content-Type': 'application/json' };

/** What a client is told of an error of ours. */
export const FAULT = {
  jsonrpc: '2.0',
  id: null,
  error: { code: INTERNAL_ERROR, message: 'The panel failed; see its events.' },
};

export function sendFault(res: ServerResponse): void {
  send(res, 500, JSON.stringify(FAULT), JSON_TYPE);
}

/** @throws what the page throws, with nothing sent */
export function sendPage(
  res: ServerResponse,
  page: 'metrics' | 'healthz',
  { metrics, healthz }: Pages,
): void {
  if (page === 'metrics') send(res, 200, metrics?.() ?? '', METRICS_TYPE);
  else send(res, 200, JSON.stringify(healthz?.() ?? {}), JSON_TYPE);
}

export function sendRefusal(res: ServerResponse, { status, body, headers }: Refused): void {
  send(res, status, JSON.stringify(body), { ...JSON_TYPE, ...headers });
}

function send(
  res: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>>,
): void {
  res.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
  res.end(text);
}
