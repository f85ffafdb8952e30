import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type { AsyncEntry } from '@napi-rs/keyring';
import type { HelperAnswer } from './ask-keyring.ts';
import type { KeyringQuestion } from './store-key.ts';

/*
 * A program of its own, because the library may block its thread, and wait for ever for a prompt that nobody answers: the
 * panel asks it one question, and kills it.
 */

const SERVICE = 'MCP Control Panel';
/** Named, or the kernel's keyring, which forgets everything at a reboot, is used where there is no other. */
const OPTIONS = { linux: { store: 'secret-service' } } as const;

/** The port to the parent in Electron's utility process. */
interface ParentPort {
  on(event: 'message', listener: (message: { readonly data: unknown }) => void): void;
  postMessage(message: unknown): void;
}

const { parentPort } = process as { readonly parentPort?: ParentPort };
if (parentPort)
  parentPort.on('message', ({ data }) => void reply(data, (said) => parentPort.postMessage(said)));
else {
  process.on('message', (question) => void reply(question, (said) => process.send?.(said)));
  // The parent is gone.
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

/** Loads the library; its native part stands beside the archive in a package, because none can be loaded from inside. */
function loadLibrary(): { readonly AsyncEntry: typeof AsyncEntry } {
  const app = dirname(dirname(import.meta.dirname));
  const path =
    basename(app) === 'app.asar'
      ? join(dirname(app), 'keyring', `${process.platform}_${process.arch}`, 'keyring.node')
      : '@napi-rs/keyring';
  return createRequire(import.meta.url)(path) as { readonly AsyncEntry: typeof AsyncEntry };
}
