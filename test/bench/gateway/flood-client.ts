/** A client whose server floods: calls a tool again and again, and throws away what comes. Says `flooded` after the first answer. */
const [url = '', token = ''] = process.argv.slice(2);

const headers: Record<string, string> = {
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
};

const post = (message: object) =>
  fetch(url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });

const greeting = await post({
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'flooded', version: '1' },
  },
});
await greeting.arrayBuffer();
const session = greeting.headers.get('mcp-session-id');
if (session !== null) headers['mcp-session-id'] = session;
await (await post({ method: 'notifications/initialized' })).arrayBuffer();

for (let id = 1; ; id += 1) {
  const answer = await post({ id, method: 'tools/call', params: { name: 'any', arguments: {} } });
  await answer.arrayBuffer();
  if (id === 1) console.log('flooded');
}

export {};
