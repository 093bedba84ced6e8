/**
 * Files at the root, beside the command itself, that each part of it may use: what it reads of a command line and of the
 * files that this names, writes to a terminal, hears of it, listens on or calls.
 */
export const forAll: readonly string[] = [
  'file-trouble.ts',
  'free-port.ts',
  'host-in-url.ts',
  'http-address.ts',
  'make-folder.ts',
  'mistyped.ts',
  'plain.ts',
  'until-told.ts',
];
