/**
 * The floor: the least that answers an MCP client over HTTP, a bare JSON-RPC responder with the tools of the fixture server
 * that are measured. Takes the port as its only argument.
 */
import { createServer, type ServerResponse } from 'node:http';

interface Request {
  readonly id?: string | number;
  readonly method: string;
  readonly params?: {
    readonly protocolVersion?: string;
    readonly name?: string;
    readonly arguments?: { readonly text?: string; readonly bytes?: number };
  };
}

const port = Number(process.argv[2]);

createServer((request, response) => {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => answer(JSON.parse(Buffer.concat(chunks).toString()) as Request, response));
}).listen(port, '127.0.0.1');

function answer({ id, method, params }: Request, response: ServerResponse): void {
  if (id === undefined) return void response.writeHead(202).end();
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result: resultOf(method, params) }));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}

function resultOf(method: string, params: Request['params'] = {}): object {
  const { protocolVersion, name, arguments: args = {} } = params;
  if (method === 'initialize') {
    return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'floor', version: '1' } };
  }
  if (method === 'tools/list') return { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] };
  if (method !== 'tools/call') return {};
  const text = name === 'payload' ? 'x'.repeat(args.bytes ?? 0) : args.text;
  return { content: [{ type: 'text', text }] };
}
