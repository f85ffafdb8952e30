import type { SecretStoreView } from '../../shared/secret-store.ts';

/** Sentence on where the secrets are and whether they can be read. */
export function storeWords({ state, keyKind, problem }: SecretStoreView): string {
  switch (state) {
    case 'none':
      return 'No secrets are kept yet. The first one makes a sealed file, whose key goes into the keyring of the system.';
    case 'opening':
      return 'The keyring of the system is being asked for the key.';
    case 'open':
      return openWords[keyKind ?? 'keyring'];
    case 'locked':
      return keyKind === 'passphrase'
        ? 'The secrets are locked: this start needs your passphrase.'
        : 'The secrets are locked: the keyring of the system did not hand out the key.';
    case 'no-keyring':
      return 'This system has no keyring that answers.';
    case 'key-missing':
      return keyKind === 'file'
        ? 'The secrets cannot be read: secrets.key is gone.'
        : 'The secrets cannot be read: the keyring does not hold their key.';
    case 'damaged':
      return `secrets.json cannot be used${problem === undefined ? '' : `: ${problem}`}.`;
  }
}

const openWords: Readonly<Record<NonNullable<SecretStoreView['keyKind']>, string>> = {
  keyring: 'Sealed in secrets.json. The key is in the keyring of the system.',
  passphrase: 'Sealed in secrets.json with your passphrase, which is asked for at each start and never kept.',
  file: 'Sealed in secrets.json. The key lies beside it in secrets.key: anyone who can read your files can read these.',
};
