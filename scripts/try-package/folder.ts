import { execFileSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** Milliseconds that one command may take. */
const patience = 900_000;

/** A folder to write files into and to run commands in. */
export class Folder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.path, file)), { recursive: true });
    writeFileSync(join(this.path, file), text);
  }

  read(file: string): string {
    return readFileSync(join(this.path, file), 'utf8');
  }

  /** Gives what the command printed. @throws Error with all of it when the exit code is not 0 */
  run(command: string, ...args: readonly string[]): string {
    try {
      return execFileSync(command, args, { cwd: this.path, timeout: patience, encoding: 'utf8', stdio: 'pipe' });
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      // Its cause would only say all of it again.
      throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`);
    }
  }

  /** Runs a JavaScript module, as the Node that runs this. */
  script(file: string, text: string): string {
    this.write(file, text);
    return this.run(process.execPath, file);
  }

  /** Bytes on disk below. */
  size(below: string): number {
    const entries = globSync('**/*', { cwd: join(this.path, below) });
    return entries.reduce((sum, file) => sum + statSync(join(this.path, below, file)).blocks * 512, 0);
  }
}
