import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { callId, type Tool } from './dialects.ts';
import { createHome, type OwnHome } from './own-home.ts';
import type { Program, Way } from './programs.ts';
import { ScriptedModel, type Turn } from './scripted-model.ts';
import type { CallEnd, Session } from './session.ts';

interface ProgramRun {
  readonly program: Program;
  /** Path of the installed program. */
  readonly command: string;
  /** File that takes what it writes. */
  readonly output: string;
}

interface ConversationOptions extends ProgramRun {
  readonly way: Way;
  /** Marks its processes. */
  readonly id: string;
}

const START_MS = 90_000;

/** One session of a real program: it asks the scripted model what to do, and does that. */
export class Conversation implements Session {
  readonly #program: Program;
  readonly #model: ScriptedModel;
  readonly #home: OwnHome;
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  #turn: Turn | undefined;
  #calls = 0;

  private constructor(program: Program, model: ScriptedModel, home: OwnHome, child: ChildProcess) {
    this.#program = program;
    this.#model = model;
    this.#home = home;
    this.#child = child;
    this.#exit = once(child, 'exit');
  }

  /** Starts the program; resolves with its first question to the model, or its end. */
  static async open({ way, id, ...run }: ConversationOptions): Promise<Conversation> {
    const model = await ScriptedModel.open();
    const home = createHome(id, run.program.files({ model: model.url, way }));
    return Conversation.inHome({ ...run, home, model });
  }

  /** Works as `open`, in a home and with a model that outlive the conversation if it is ended by `leave`. */
  static async inHome({
    program,
    command,
    output,
    home,
    model,
  }: ProgramRun & { readonly home: OwnHome; readonly model: ScriptedModel }): Promise<Conversation> {
    const env = { ...home.env, ...program.environment(model.url) };
    // In a group of its own, because some programs end theirs.
    mkdirSync(dirname(output), { recursive: true });
    const file = openSync(output, 'w');
    const run = (args: readonly string[]) =>
      spawn(command, args, { cwd: home.cwd, env, detached: true, stdio: ['ignore', file, file] });
    if (program.prepare) await once(run(program.prepare(model.url)), 'exit');
    const conversation = new Conversation(program, model, home, run(program.args));
    closeSync(file);
    conversation.#turn = await model.next(START_MS, conversation.#exit);
    return conversation;
  }

  async hasTool(name: string): Promise<boolean> {
    const wanted = this.#toolOf(name);
    const isWanted = (tool: Tool) => tool.name === wanted.name && tool.namespace === wanted.namespace;
    const isOffered = () => this.#turn?.tools.some(isWanted) === true;
    const { search } = this.#program;
    if (isOffered() || search === undefined) return isOffered();
    const { text } = await this.#use({ name: search }, { query: `select:${wanted.name}` }, START_MS);
    return isOffered() || text?.includes(`"${wanted.name}"`) === true;
  }

  call(name: string, args: object, limitMs: number): Promise<CallEnd> {
    return this.#use(this.#toolOf(name), args, limitMs);
  }

  /** Ends the program and all that it started, but for its home and its model. */
  async leave(): Promise<void> {
    this.#home.endProcesses();
    await this.#exit;
  }

  async end(): Promise<void> {
    this.#home.end();
    this.#model.close();
  }

  async #use(tool: Tool, args: object, limitMs: number): Promise<CallEnd> {
    const startedAt = performance.now();
    // The question of a call that had no answer within its limit may have come since.
    let turn = this.#turn ?? (await this.#model.next(limitMs, this.#exit));
    this.#calls += 1;
    const id = callId(this.#calls);
    // Programs ask again where a reply took them too long; what they asked before has no reader then.
    while (turn !== undefined && turn.resultOf(id) === undefined) {
      turn.reply({ kind: 'call', id, tool, args });
      turn = await this.#model.next(limitMs, this.#exit);
    }
    this.#turn = turn;
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
