import { parsedJson } from '../../../../shared/parsed.ts';
import { z } from 'zod';
import { errnoOf } from '../../errno.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import { SerialQueue } from '../../serial-queue.ts';
import type { AnswerOrder } from './call-turns.ts';
import { messageOf } from '../../../../shared/message-of.ts';

/** Maximum number of observed servers; the oldest are forgotten first. */
const MAX_LESSONS = 1000;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_VERSION_LENGTH = 256;
/** Observed behaviour of a server: its requests to clients, and its answer order. */
const lessonSchema = z.object({
  /** Identifier under which files of the data folder refer to the server, derived from its server key. */
  key: z.string().regex(/^[0-9a-f]{40}$/),
  /** Version that the server reported when it was observed; undefined if it reported none. */
  version: z.string().max(MAX_VERSION_LENGTH).optional(),
  methods: z.array(z.string().max(64)).max(8),
  /** Observed answer order; undefined when none was observed. */
  answers: z.enum(['in-turn', 'at-once']).optional(),
});
const fileSchema = z.object({ version: z.literal(1), lessons: z.array(lessonSchema).max(MAX_LESSONS) });

export type SharingObservation = z.output<typeof lessonSchema>;

/**
 * Observed behaviour of servers, by server key. An observation applies to one version of the server, because another version
 * may behave differently. If the server's version is unknown because it has not started yet, the observation is used
 * nevertheless.
 */
export class ObservedSharing {
  readonly #lessons = new Map<string, SharingObservation>();
  readonly #save: (lessons: readonly SharingObservation[]) => void;
  readonly #nameOf: (key: string) => string;

  /**
   * @param initial observations from the file
   * @param save called after each change
   * @param nameOf returns the identifier of a server key in files, as in `SessionIds`
   */
  constructor(
    initial: readonly SharingObservation[] = [],
    save: (lessons: readonly SharingObservation[]) => void = () => undefined,
    nameOf = (key: string) => key,
  ) {
    this.#save = save;
    this.#nameOf = nameOf;
    for (const lesson of initial) this.#lessons.set(lesson.key, lesson);
  }

  get all(): readonly SharingObservation[] {
    return [...this.#lessons.values()];
  }

  /** Returns the methods of requests that the server sent to clients. @param version undefined before the server reported it */
  of(key: string, version: string | undefined): readonly string[] {
    return this.#lesson(key, version)?.methods ?? [];
  }

  /** Returns the observed order of answers to concurrent calls. @param version as `of` */
  answersOf(key: string, version: string | undefined): AnswerOrder | undefined {
    return this.#lesson(key, version)?.answers;
  }

  /** Records the method of a request from the server to a client. Returns whether the method is new for this server. */
  learn(key: string, version: string | undefined, method: string): boolean {
    const methods = this.of(key, version);
    if (methods.includes(method)) return false;
    this.#keep(key, version, { methods: [...methods, method] });
    return true;
  }

  /** Records the answer order and returns whether it is new. A proven `at-once` is never replaced: `in-turn` is only likely. */
  learnAnswers(key: string, version: string | undefined, answers: AnswerOrder): boolean {
    const known = this.answersOf(key, version);
    if (known === answers || known === 'at-once') return false;
    this.#keep(key, version, { answers });
    return true;
  }

  #lesson(key: string, version: string | undefined): SharingObservation | undefined {
    const lesson = this.#lessons.get(this.#nameOf(key));
    const isOther = version !== undefined && lesson?.version !== undefined && cut(version) !== lesson.version;
    return isOther ? undefined : lesson;
  }

  #keep(
    key: string,
    version: string | undefined,
    news: Partial<Pick<SharingObservation, 'methods' | 'answers'>>,
  ) {
    const known = this.#lesson(key, version);
    const name = this.#nameOf(key);
    this.#lessons.delete(name);
    const { methods = [], answers } = { ...known, ...news };
    this.#lessons.set(name, {
      key: name,
      methods,
      ...(version !== undefined && { version: cut(version) }),
      ...(answers && { answers }),
    });
    for (const oldest of this.#lessons.keys())
      if (this.#lessons.size > MAX_LESSONS) this.#lessons.delete(oldest);
    this.#save(this.all);
  }
}

export interface ObservedSharingFile {
  readonly lessons: ObservedSharing;
  /** Resolves when all observations are on disk. */
  readonly flush: () => Promise<void>;
}

/** Opens the file of observed behaviour. A damaged file is ignored, and replaced when the next observation is saved. */
export async function openObservedSharing(
  path: string,
  notice: (line: string) => void,
  nameOf?: (key: string) => string,
): Promise<ObservedSharingFile> {
  const writes = new SerialQueue();
  const problem = (what: string) => (error: unknown) => notice(`${path} ${what}: ${messageOf(error)}`);
  const save = (lessons: readonly SharingObservation[]) => {
    const text = `${JSON.stringify({ version: 1, lessons })}\n`;
    void writes
      .run(() => writeAtomically(path, text, { afterPowerCut: 'either' }))
      .catch(problem('was not written'));
  };
  const initial = await readObservations(path).catch((error: unknown) => {
    if (errnoOf(error) !== 'ENOENT') problem('is ignored and will be replaced')(error);
    return [];
  });
  const lessons = new ObservedSharing(initial, save, nameOf);
  return { lessons, flush: () => writes.run(() => Promise.resolve()) };
}

async function readObservations(path: string): Promise<readonly SharingObservation[]> {
  const bytes = await readRegularFile(path, MAX_FILE_BYTES);
  const parsed = fileSchema.safeParse(parsedJson(bytes.toString()));
  if (!parsed.success) throw new Error('it is damaged');
  return parsed.data.lessons;
}

function cut(version: string): string {
  return version.slice(0, MAX_VERSION_LENGTH);
}
