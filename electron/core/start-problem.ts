/** Why the panel cannot start, in a sentence for people: nobody needs the stack of it. */
export class StartProblem extends Error {}
