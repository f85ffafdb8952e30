// `npm run -s electron:path`: one line of JSON that says how to start the built app; made ready when it is not.
import { runEntry } from './lib/entry.mjs';
import { prepareApp } from './lib/prepare.mjs';

await runEntry(async () => {
  const command = await prepareApp({ opensDisplay: false });
  process.stdout.write(`${JSON.stringify(command)}\n`);
});
