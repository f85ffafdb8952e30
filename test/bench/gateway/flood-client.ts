/** A client whose server floods: calls a tool again and again, and throws away what comes. Says `flooded` after the first answer. */
import { BareClient } from '../../fixtures/gateways/bare-client.ts';

const [url = '', token] = process.argv.slice(2);

const client = new BareClient({ url, token });
await client.open();
for (let calls = 1; ; calls += 1) {
  await client.callAndIgnore('any');
  if (calls === 1) console.log('flooded');
}
