/**
 * The relay floor: the least that shares one stdio server over HTTP. `node:http` in front of the server, a token compared,
 * ids changed, and nothing else. Arguments: port, token, and the server's command line.
 */
import { spawn } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';

interface Message {
  readonly id?: string | number;
  readonly method?: string;
}

interface Waiting {
  readonly id: string | number;
  readonly response: ServerResponse;
}

const [port, token, command = '', ...args] = process.argv.slice(2);
const authorization = `Bearer ${token}`;
const server = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
const waiting = new Map<number, Waiting>();
let ids = 0;
let rest = '';

server.stdout.setEncoding('utf8').on('data', (chunk: string) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop()!;
  for (const line of lines) answer(JSON.parse(line) as Message);
});

createServer((request, response) => {
  if (request.headers.authorization !== authorization) return void response.writeHead(401).end();
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => relay(JSON.parse(Buffer.concat(chunks).toString()) as Message, response));
}).listen(Number(port), '127.0.0.1');

function relay(message: Message, response: ServerResponse): void {
  if (message.id === undefined) return void response.writeHead(202).end();
  ids += 1;
  waiting.set(ids, { id: message.id, response });
  server.stdin.write(`${JSON.stringify({ ...message, id: ids })}\n`);
}

function answer(message: Message): void {
  const { id, response } = waiting.get(message.id as number) ?? {};
  if (!response) return;
  waiting.delete(message.id as number);
  const body = Buffer.from(JSON.stringify({ ...message, id }));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}
