import { z } from 'zod';
import { errorReportSchema } from '../../error-report.ts';
import { keyKindSchema, secretNameSchema, secretStoreSchema } from '../../secret-store.ts';
import { call, knownNameSchema } from '../call.ts';

/** Path of a text inside an entry: `["env", "TOKEN"]`, `["args", 3]`, `["url"]`. */
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

/** A value that a start of the server would lack. */
const missingSchema = z.object({
  /** Name of the secret or variable, id of the input, or the text of a placeholder. */
  name: z.string(),
  /** What people call it: the variable or header where a placeholder stands, else the name. */
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
        /** `name` of the missing value; the first one at this place if undefined. */
        ask: z.string().max(5000).optional(),
        /** Name of the secret that keeps the value; a name is made from the place if undefined. */
        name: secretNameSchema.optional(),
        /** The text of a placeholder itself keeps it as it stands. */
        value: valueSchema,
        asSecret: z.boolean(),
      }),
    )
    .max(1000),
});
export type MissingAnswers = z.infer<typeof answersSchema>;

/** Calls about secrets, whose values go in and never come out, except back into servers.json by `moveBack`. */
export const secretsCalls = {
  getSecretStore: call({ method: 'state', result: secretStoreSchema }),
  listSecrets: call({
    method: 'list',
    result: z.array(
      z.object({
        name: z.string(),
        /** Servers whose definition refers to it. */
        usedBy: z.array(z.string()),
        /** Whether the address of the alerts' webhook refers to it. */
        isUsedByAlerts: z.literal(true).optional(),
        setAt: z.number(),
        lastUsedAt: z.number().optional(),
      }),
    ),
  }),
  /** Creates or replaces a secret. Servers that run with another value of it restart once. */
  putSecret: call({ method: 'put', args: [z.object({ name: secretNameSchema, value: valueSchema })] }),
  removeSecret: call({ method: 'remove', args: [z.string().max(64)] }),
  /** Renames a secret, and its references in servers.json with one write. */
  renameSecret: call({
    method: 'rename',
    args: [z.object({ from: z.string().max(64), to: secretNameSchema })],
  }),
  /** Chooses where the key of the store is kept. Creates the store if there is none. */
  setSecretKey: call({
    method: 'setKey',
    args: [z.object({ kind: keyKindSchema, passphrase: passphraseSchema })],
  }),
  /** Opens the store: asks the keyring, with time for an answer by a person, or tries the passphrase. */
  unlockSecrets: call({ method: 'unlock', args: [z.object({ passphrase: passphraseSchema }).optional()] }),
  /** Sets a store that cannot be opened aside. */
  startSecretsAnew: call({ method: 'startAnew' }),
  /** Literals in servers.json that look like keys. */
  listPlainSecrets: call({
    method: 'listPlain',
    result: z.array(placeOfServer.extend({ label: z.string(), suggestedName: z.string() })),
  }),
  /** Replaces literals by references, with one write of servers.json after the values are in the store. */
  moveToSecrets: call({ method: 'move', args: [movesSchema], result: movedSchema }),
  /** Undoes `moveToSecrets`. */
  moveBack: call({ method: 'moveBack', args: [movesSchema], result: movedSchema }),
  /** What starts of servers would lack. */
  listMissing: call({
    method: 'listMissing',
    result: z.array(z.object({ server: z.string(), asks: z.array(missingSchema) })),
  }),
  /** Writes secrets and values that were missing; then the server starts. */
  answerMissing: call({ method: 'answer', args: [answersSchema] }),
};
