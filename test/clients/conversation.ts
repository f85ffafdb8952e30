import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { killAll, processesOfTest, TEST_RUN_NAME } from '../e2e/support/processes.ts';
import type { Tool } from './dialects.ts';
import type { Program, Way } from './programs.ts';
import { ScriptedModel, type Turn } from './scripted-model.ts';

/** What a call came to, as the program tells its model. */
export interface CallEnd {
  /** Undefined where the program asked its model nothing before the limit, or ended. */
  readonly text?: string | undefined;
  readonly seconds: number;
  readonly hasProgramEnded: boolean;
}

export interface ConversationOptions {
  readonly program: Program;
  /** Path of the installed program. */
  readonly command: string;
  readonly way: Way;
  /** Marks its processes. */
  readonly id: string;
}

const START_MS = 90_000;
const OUTPUT_KEPT = 20_000;
const SYSTEM_FOLDERS = ['/usr/local/bin', '/usr/bin', '/bin'];

/** One session of a real program with a home of its own: it asks the scripted model what to do, and does that. */
export class Conversation {
  readonly #program: Program;
  readonly #model: ScriptedModel;
  readonly #home: string;
  readonly #id: string;
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  #turn: Turn | undefined;
  #calls = 0;
  #output = '';

  private constructor({ program, id }: ConversationOptions, model: ScriptedModel, home: string, child: ChildProcess) {
    this.#program = program;
    this.#model = model;
    this.#home = home;
    this.#id = id;
    this.#child = child;
    this.#exit = once(child, 'exit');
    const keep = (text: string) => (this.#output = (this.#output + text).slice(-OUTPUT_KEPT));
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', keep);
  }

  /** Starts the program, and resolves with its first question to the model, or its end. */
  static async begin(options: ConversationOptions): Promise<Conversation> {
    const { program, command, way, id } = options;
    const model = await ScriptedModel.open();
    const home = mkdtempSync(join(tmpdir(), `client-${program.bin}-`));
    const files = { ...program.files({ model: model.url, way }), 'work/README': '' };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    const env = { ...environmentOf(home), [TEST_RUN_NAME]: id, ...program.environment(model.url) };
    const run = (args: readonly string[]) =>
      spawn(command, args, {
        cwd: join(home, 'work'),
        env,
        // Whatever it does to its own group reaches nobody else.
        detached: true,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    if (program.prepare) await once(run(program.prepare(model.url)), 'exit');
    const conversation = new Conversation(options, model, home, run(program.args));
    conversation.#turn = await model.next(START_MS, conversation.#exit);
    return conversation;
  }

  /** Last words of the program. */
  get output(): string {
    return this.#output;
  }

  /** Whether the program offers the server's tool to its model, or finds it where its model has to look for tools. */
  async hasTool(name: string): Promise<boolean> {
    const wanted = this.#toolOf(name);
    const isOffered = () =>
      this.#turn?.tools.some((tool) => tool.name === wanted.name && tool.namespace === wanted.namespace) === true;
    const { search } = this.#program;
    if (isOffered() || search === undefined) return isOffered();
    const { text } = await this.#use({ name: search }, { query: `select:${wanted.name}` }, START_MS);
    return isOffered() || text?.includes(`"${wanted.name}"`) === true;
  }

  /** Makes the program call a tool of the server. */
  call(name: string, args: object, limitMs: number): Promise<CallEnd> {
    return this.#use(this.#toolOf(name), args, limitMs);
  }

  /** Ends the program and all that it started. */
  end(): void {
    killAll(processesOfTest(this.#id));
    this.#child.kill('SIGKILL');
    this.#model.close();
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }

  async #use(tool: Tool, args: object, limitMs: number): Promise<CallEnd> {
    const startedAt = performance.now();
    // The question of a call that had no answer within its limit may have come since.
    this.#turn ??= await this.#model.next(limitMs, this.#exit);
    this.#calls += 1;
    const id = `call_${this.#calls}`;
    const turn = this.#turn;
    this.#turn = undefined;
    turn?.reply({ kind: 'call', id, tool, args });
    this.#turn = turn && (await this.#model.next(limitMs, this.#exit));
    return {
      text: this.#turn?.resultOf(id),
      seconds: Math.round((performance.now() - startedAt) / 1000),
      hasProgramEnded: this.#child.exitCode !== null || this.#child.signalCode !== null,
    };
  }

  #toolOf(name: string): Tool {
    const { prefix, namespace } = this.#program;
    return { name: `${prefix}${name}`, ...(namespace !== undefined && { namespace }) };
  }
}

/** Nothing of the user's own but what programs need to run at all. */
function environmentOf(home: string): Record<string, string> {
  return {
    HOME: home,
    PATH: [dirname(process.execPath), ...SYSTEM_FOLDERS].join(delimiter),
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: '1',
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_CACHE_HOME: join(home, '.cache'),
  };
}
