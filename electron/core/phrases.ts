/** Converts "the folder is gone" to a sentence: "The folder is gone." */
export const asSentence = (phrase: string): string => `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`;

/** Converts "was restarted" to a sentence: "The server was restarted." */
export const aboutServer = (phrase: string): string => `The server ${phrase}.`;
