// `npm run -s electron:path`: prints one line of JSON with the command that starts the app, which is built if necessary.
import { runEntry } from './lib/entry.mjs';
import { prepareApp } from './lib/prepare.mjs';

await runEntry(async () => {
  const command = await prepareApp({ opensDisplay: false });
  process.stdout.write(`${JSON.stringify(command)}\n`);
});
