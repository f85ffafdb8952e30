import { z } from 'zod';
import { errorReportSchema } from '../../error-report.ts';
import { keyKindSchema, secretNameSchema, secretStoreSchema } from '../../secret-store.ts';
import { call, knownNameSchema } from '../call.ts';

/** Path of a text within an entry: `["env", "TOKEN"]`, `["args", 3]`, `["url"]`. */
const placeSchema = z
  .array(z.union([z.string().max(1000), z.number().int()]))
  .min(1)
  .max(2);
export type SecretPlace = z.infer<typeof placeSchema>;

const valueSchema = z.string().max(65_536);
const passphraseSchema = z.string().max(1024).optional();
const placeOfServer = z.object({ server: knownNameSchema, place: placeSchema });
const movesSchema = z.array(placeOfServer.extend({ name: secretNameSchema })).max(1000);
export type SecretMoves = z.infer<typeof movesSchema>;

const movedSchema = z.object({
  moved: movesSchema,
  refused: z.array(placeOfServer.extend({ error: errorReportSchema })),
});
export type MovedSecrets = z.infer<typeof movedSchema>;

/** Value that is missing for a start of the server. */
const missingSchema = z.object({
  /** Name of the secret or variable, id of the input, or text of the placeholder. */
  name: z.string(),
  /** Name to show to the user: for a placeholder the variable or header that contains it, otherwise the same as `name`. */
  label: z.string(),
  kind: z.enum(['secret', 'variable', 'input', 'placeholder']),
  isSecret: z.boolean(),
  place: placeSchema,
  hint: z.string().optional(),
});
export type MissingValue = z.infer<typeof missingSchema>;

const answersSchema = z.object({
  server: knownNameSchema,
  answers: z
    .array(
      z.object({
        place: placeSchema,
        /** `name` of the missing value; if undefined, the first missing value at this place. */
        ask: z.string().max(5000).optional(),
        /** Name of the secret that is to contain the value; if undefined, a name is derived from the place. */
        name: secretNameSchema.optional(),
        /** Value that was missing. If it is the text of the placeholder itself, that text stays unchanged. */
        value: valueSchema,
        asSecret: z.boolean(),
      }),
    )
    .max(1000),
});
export type MissingAnswers = z.infer<typeof answersSchema>;

/** Calls about secrets. No call returns the value of a secret; only `moveBack` writes values back into servers.json. */
export const secretsCalls = {
  getSecretStore: call({ method: 'state', result: secretStoreSchema }),
  listSecrets: call({
    method: 'list',
    result: z.array(
      z.object({
        name: z.string(),
        /** Servers whose definition refers to the secret. */
        usedBy: z.array(z.string()),
        /** True if the address of the alerts' webhook refers to the secret. */
        isUsedByAlerts: z.literal(true).optional(),
        setAt: z.number(),
        lastUsedAt: z.number().optional(),
      }),
    ),
  }),
  /** Creates or replaces a secret. Servers that run with a different value of the secret restart once. */
  putSecret: call({ method: 'put', args: [z.object({ name: secretNameSchema, value: valueSchema })] }),
  removeSecret: call({ method: 'remove', args: [z.string().max(64)] }),
  /** Renames a secret, and all references to it in servers.json with one write. */
  renameSecret: call({
    method: 'rename',
    args: [z.object({ from: z.string().max(64), to: secretNameSchema })],
  }),
  /** Chooses where the key of the store is kept. Creates the store if it does not exist. */
  setSecretKey: call({
    method: 'setKey',
    args: [z.object({ kind: keyKindSchema, passphrase: passphraseSchema })],
  }),
  /** Opens the store: asks the keyring, with enough time for the user to answer its prompt, or tries the passphrase. */
  unlockSecrets: call({ method: 'unlock', args: [z.object({ passphrase: passphraseSchema }).optional()] }),
  /** Renames the file of a store that cannot be opened, so that a new store can be created. */
  startSecretsAnew: call({ method: 'startAnew' }),
  /** Literals in servers.json that look like secrets. */
  listPlainSecrets: call({
    method: 'listPlain',
    result: z.array(placeOfServer.extend({ label: z.string(), suggestedName: z.string() })),
  }),
  /** Replaces literals by references to secrets. The values are stored first, then servers.json is written once. */
  moveToSecrets: call({ method: 'move', args: [movesSchema], result: movedSchema }),
  /** Undoes `moveToSecrets`. */
  moveBack: call({ method: 'moveBack', args: [movesSchema], result: movedSchema }),
  /** Values that are missing for starts of servers. */
  listMissing: call({
    method: 'listMissing',
    result: z.array(z.object({ server: z.string(), asks: z.array(missingSchema) })),
  }),
  /** Writes missing secrets and values, then starts the server. */
  answerMissing: call({ method: 'answer', args: [answersSchema] }),
};
