import type { SecretStoreView } from '../../shared/secret-store.ts';

/** Sentence about where the secrets are stored and whether they can be read. */
export function storeWords({ state, keyKind, problem }: SecretStoreView): string {
  switch (state) {
    case 'none':
      return 'No secrets are kept yet. The first one creates an encrypted file, whose key is stored in the system’s keyring.';
    case 'opening':
      return 'Waiting for the system’s keyring to return the key.';
    case 'open':
      return openWords[keyKind ?? 'keyring'];
    case 'locked':
      return keyKind === 'passphrase'
        ? 'The secrets are locked: this start needs your passphrase.'
        : 'The secrets are locked: the system’s keyring did not return the key.';
    case 'no-keyring':
      return 'No keyring answers on this system.';
    case 'key-missing':
      return keyKind === 'file'
        ? 'The secrets cannot be read: secrets.key is gone.'
        : 'The secrets cannot be read: the keyring does not contain their key.';
    case 'damaged':
      return `secrets.json cannot be used${problem === undefined ? '' : `: ${problem}`}.`;
  }
}

const openWords: Readonly<Record<NonNullable<SecretStoreView['keyKind']>, string>> = {
  keyring: 'Encrypted in secrets.json. The key is in the system’s keyring.',
  passphrase:
    'Encrypted in secrets.json with your passphrase, which is asked for at each start and never stored.',
  file: 'Encrypted in secrets.json. The key is next to it in secrets.key: anyone who can read your files can read the secrets.',
};
