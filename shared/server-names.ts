export const LONGEST_SERVER_NAME = 64;

/** A server's name is part of URLs and file names, so it has no other characters, and is not "." or "..". */
export const serverNamePattern = new RegExp(`^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,${LONGEST_SERVER_NAME}}$`);
