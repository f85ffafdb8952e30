/** What a call came to, as the program tells its model. */
export interface CallEnd {
  /** Undefined where the program told nothing before the limit, or ended. */
  readonly text?: string | undefined;
  readonly seconds: number;
  readonly hasProgramEnded: boolean;
}

/** One session of a program with the server. */
export interface Session {
  /** Whether the program has the tool, or finds it where its model has to look for tools. */
  hasTool(name: string): Promise<boolean>;
  call(name: string, args: object, limitMs: number): Promise<CallEnd>;
  /** Ends the program and all that it started. */
  end(): Promise<void>;
}
