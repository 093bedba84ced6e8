import { accessSync, constants, statSync } from 'node:fs';

/** Words for what keeps files from being read or written, by the system's own codes. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system can only be read',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is no folder, or below something that is none',
  ENOSPC: 'the disk is full',
};

/** Why the system refused something, in words; the first line of its own where there are none. */
export function reasonOf(error: unknown): string {
  const { code = '', message = String(error) } = (error ?? {}) as NodeJS.ErrnoException;
  return reasons[code] ?? firstLine(message);
}

const writing: readonly string[] = ['mkdir', 'open', 'write', 'rename', 'fsync'];

/** A line about a file that could not be used, without its code; the first of the error's own message when it is about none. */
export function fileTrouble(error: unknown): string {
  const { code = '', path, syscall = '', message = String(error) } = (error ?? {}) as NodeJS.ErrnoException;
  if (!path) return firstLine(message);
  const act = writing.includes(syscall) ? 'written' : 'read';
  if (code === 'ENOENT')
    return syscall === 'mkdir' ? `${path} cannot be written (it cannot be made there)` : `there is no ${path}`;
  const reason = reasons[code];
  return reason ? `${path} cannot be ${act} (${reason})` : firstLine(message);
}

/** What keeps a file from being read, in words; undefined: nothing that can be seen beforehand. */
export function unreadable(file: string): string | undefined {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file).isDirectory() ? `${file} cannot be read (${reasons['EISDIR']})` : undefined;
  } catch (error) {
    return fileTrouble(error);
  }
}

/** What keeps files from being read that flags name, one sentence each. @param files by the names of the flags; without one: missing or empty */
export const fileProblems = (files: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.entries(files).flatMap(([flag, file]) => {
    const trouble = file && unreadable(file);
    return trouble ? [`--${flag}: ${trouble}`] : [];
  });

/** What a message says before it shows what it is about, which may be secret. */
export const firstLine = (text: string): string => (text.split('\n')[0] ?? '').replace(/:$/, '');
