// `npm run -s electron:path`: builds the app if necessary, then prints one line of JSON with the command that starts it.
import { runEntry } from './lib/entry.mjs';
import { prepareApp } from './lib/prepare.mjs';

await runEntry(async () => {
  const command = await prepareApp({ opensDisplay: false });
  process.stdout.write(`${JSON.stringify(command)}\n`);
});
