import { z } from 'zod';
import { errorCodes, type ErrorCode } from './error-codes.ts';
import type { ErrorData } from './error-data.ts';
import type { Fix } from './fix.ts';

export const shortWordsSchema = z.object({
  phrase: z.string().optional(),
  brief: z.string().optional(),
  hasMore: z.literal(true).optional(),
});

const isFix = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';

const errorDataSchema = shortWordsSchema.extend({
  field: z.string().optional(),
  statement: z.string().optional(),
  wrong: z.string().optional(),
  suggestion: z.string().optional(),
  port: z.number().optional(),
  freePort: z.number().optional(),
}) satisfies z.ZodType<ErrorData>;

const errorCodeSchema = z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]);
export const errorReportSchema = z.object({
  code: errorCodeSchema,
  message: z.string(),
  remedy: z.string().optional(),
  causeLines: z.array(z.string()).readonly().optional(),
  fix: z.custom<Fix>(isFix).optional(),
  data: errorDataSchema.optional(),
});
