// `npm run build`: builds the app into out/, even if it is up to date.
import { ensureBuilt } from './lib/build-app.mjs';
import { runEntry } from './lib/entry.mjs';
import { ensureInstalled } from './lib/install.mjs';

await runEntry(async () => {
  await ensureInstalled();
  await ensureBuilt({ force: true });
});
