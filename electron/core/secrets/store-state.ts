import type { KeyKind, SecretStoreView } from '../../../shared/secret-store.ts';

/** Answer to a request for the key. */
export type KeyAnswer =
  | { readonly kind: 'found'; readonly value: string }
  /** The keyring has no entry for the key, or the key file is missing. */
  | { readonly kind: 'none' }
  /** There is no keyring, or it is not reachable. */
  | { readonly kind: 'absent'; readonly reason: string }
  /** The keyring is locked, or the user declined. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'silent'; readonly waitedMs: number };

export type StoreEvent =
  | { readonly kind: 'read'; readonly file: 'gone' }
  | { readonly kind: 'read'; readonly file: 'damaged'; readonly reason: string }
  | { readonly kind: 'read'; readonly file: KeyKind; readonly hasPassphrase: boolean }
  | { readonly kind: 'answered'; readonly answer: KeyAnswer; readonly isSealedWithIt: boolean }
  /** A key was created, and the file of secrets was written with it. */
  | { readonly kind: 'written'; readonly keyKind: KeyKind }
  /** The keyring did not accept the key that was created for the file of secrets. */
  | { readonly kind: 'not-kept'; readonly answer: Exclude<KeyAnswer, { kind: 'found' }> }
  | { readonly kind: 'set-aside' };

const NEEDS_PASSPHRASE = 'It opens with your passphrase.';
const OTHER_CONTENT =
  'Its content does not fit its key: secrets.json was changed by another program, or belongs to another key.';

/**
 * Returns the state of the store of secrets after an event. A missing key is never replaced by a new one, because the existing
 * file can be opened only with its own key.
 */
export function nextStoreState(state: SecretStoreView, event: StoreEvent): SecretStoreView {
  const { keyKind } = state;
  const closed = (kind: SecretStoreView['state'], problem: string): SecretStoreView => ({
    state: kind,
    ...(keyKind && { keyKind }),
    problem,
  });
  switch (event.kind) {
    case 'read':
      if (event.file === 'gone') return { state: 'none' };
      if (event.file === 'damaged') return { state: 'damaged', problem: event.reason };
      return event.file === 'passphrase' && !event.hasPassphrase
        ? { state: 'locked', keyKind: event.file, problem: NEEDS_PASSPHRASE }
        : { state: 'opening', keyKind: event.file };
    case 'answered':
      return event.answer.kind === 'found'
        ? opened(state, event.isSealedWithIt)
        : closed(...withoutKey(event.answer, keyKind));
    case 'written':
      return { state: 'open', keyKind: event.keyKind };
    case 'not-kept':
      // An open store continues with its current key.
      return state.state === 'open'
        ? state
        : { state: 'no-keyring', problem: withoutKey(event.answer, 'keyring')[1] };
    case 'set-aside':
      return { state: 'none' };
  }
}

function opened(state: SecretStoreView, isSealedWithIt: boolean): SecretStoreView {
  const { keyKind } = state;
  if (isSealedWithIt) return { state: 'open', ...(keyKind && { keyKind }) };
  return keyKind === 'passphrase'
    ? { state: 'locked', keyKind, problem: 'That passphrase does not open it.' }
    : { state: 'damaged', ...(keyKind && { keyKind }), problem: OTHER_CONTENT };
}

function withoutKey(
  answer: Exclude<KeyAnswer, { kind: 'found' }>,
  keyKind: KeyKind | undefined,
): [SecretStoreView['state'], string] {
  switch (answer.kind) {
    case 'none':
      return [
        'key-missing',
        keyKind === 'file'
          ? 'Its key, the file secrets.key, is not there.'
          : 'The keyring of this system does not have its key: it is another keyring, or still locked.',
      ];
    case 'absent':
      return ['no-keyring', `The keyring of this system cannot be reached: ${answer.reason}.`];
    case 'refused':
      return ['locked', `The keyring of this system is locked: ${answer.reason}.`];
    case 'silent':
      return ['locked', `The keyring of this system gave no answer in ${answer.waitedMs / 1000} s.`];
  }
}

/**
 * Returns why the file of secrets cannot be opened. @param kind of content that `readContent` found: `text` if the file could
 * be read
 */
export const damagedReason = (kind: string | undefined): string =>
  kind === 'text'
    ? 'secrets.json is damaged, and so is its backup.'
    : 'secrets.json cannot be read: it is not a regular file, or it is not private to you.';
