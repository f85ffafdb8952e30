import { z } from 'zod';

/** Name of a secret. */
export const secretNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, "_", "." or "-"' });

export const keyKindSchema = z.enum(['keyring', 'passphrase', 'file']);
export type KeyKind = z.infer<typeof keyKindSchema>;

/** State of the store of secrets. `none`: secrets.json does not exist yet. */
export const secretStoreSchema = z.object({
  state: z.enum(['none', 'open', 'opening', 'locked', 'no-keyring', 'key-missing', 'damaged']),
  keyKind: keyKindSchema.optional(),
  /** Reason why the store is not open, in one sentence. */
  problem: z.string().optional(),
});
export type SecretStoreView = z.infer<typeof secretStoreSchema>;
