import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { AsyncEntry } from '@napi-rs/keyring';
import type { HelperAnswer } from './ask-keyring.ts';
import type { KeyringQuestion } from './store-key.ts';

/* This runs as a separate program, because the keyring library may block its thread, and may wait forever for a prompt that is
   never answered. The panel sends it one question, and then kills it. */

const SERVICE = 'MCP Control Panel';
/**
 * Names the credential store. Without a name, the library would fall back to the kernel's keyring, which forgets everything at
 * a reboot.
 */
const OPTIONS = { linux: { store: 'secret-service' } } as const;

/** Port to the parent process, if this program runs as a utility process of Electron. */
interface ParentPort {
  on(event: 'message', listener: (message: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

const { parentPort } = process as { readonly parentPort?: ParentPort };
if (parentPort)
  parentPort.on('message', ({ data }) => void reply(data, (said) => parentPort.postMessage(said)));
else {
  process.on('message', (question) => void reply(question, (said) => process.send?.(said)));
  // The parent process has ended, so this process must not outlive it.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
}

async function reply(question: unknown, say: (answer: HelperAnswer) => void): Promise<void> {
  try {
    say({ value: await ask(question as KeyringQuestion) });
  } catch (error) {
    say({ failure: error instanceof Error ? error.message : String(error) });
  }
}

async function ask(question: KeyringQuestion): Promise<string | null> {
  const { AsyncEntry: Entry } = loadLibrary();
  const entry = new Entry(SERVICE, question.account, OPTIONS);
  if (question.kind === 'remove') await entry.deleteCredential();
  if (question.kind === 'write') await entry.setPassword(question.value);
  return question.kind === 'remove' ? null : entry.getPassword();
}

/**
 * Loads the library. In a packaged app, its native part is in a folder next to the app's archive (app.asar), because a native
 * module cannot be loaded from inside an archive.
 */
function loadLibrary(): { readonly AsyncEntry: typeof AsyncEntry } {
  const app = dirname(dirname(import.meta.dirname));
  const path =
    basename(app) === 'app.asar'
      ? join(dirname(app), 'keyring', `${process.platform}_${process.arch}`, 'keyring.node')
      : '@napi-rs/keyring';
  return createRequire(import.meta.url)(path) as { readonly AsyncEntry: typeof AsyncEntry };
}
