import { closeSync, fstatSync, ftruncateSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import type { Clock } from '../../base/time/clock.ts';

export interface AuditLogOptions {
  /** `-`: standard output. */
  readonly path: string;
  /** Size in bytes at which a file is closed and kept under the name of its time. */
  readonly maxBytes: number;
  /** How many such files are kept besides the current one; 0: all. */
  readonly maxBackups: number;
  /** How long they are kept, in milliseconds; 0: for ever. */
  readonly maxAgeMs: number;
}

/** Where audit events go: each is one line of JSON. */
export interface AuditLog {
  /** Has written the line when it returns. @throws Error when it cannot be written, and then nothing of it stands */
  write(line: string): void;
  close(): void;
}

const standardOutput: AuditLog = {
  write: (line) => {
    process.stdout.write(`${line}\n`);
  },
  close: () => {},
};

/** `audit.log` is kept as `audit-2024-05-06T07-08-09.123.log`. */
const stampOf = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, -1).replaceAll(':', '-');
const timeOf = (stamp: string) => Date.parse(`${stamp.slice(0, 10)}${stamp.slice(10).replaceAll('-', ':')}Z`);
const stampPattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}$/;

class RotatingFile implements AuditLog {
  readonly #options: AuditLogOptions;
  readonly #clock: Clock;
  #file: number;
  #size: number;
  readonly #put: typeof writeSync;
  constructor(options: AuditLogOptions, clock: Clock, put: typeof writeSync) {
    this.#options = options;
    this.#clock = clock;
    this.#put = put;
    this.#file = openSync(options.path, 'a', 0o600);
    this.#size = fstatSync(this.#file).size;
  }

  write(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    if (this.#size > 0 && this.#size + bytes.length > this.#options.maxBytes) this.#rotate();
    let written = 0;
    try {
      while (written < bytes.length) written += this.#put(this.#file, bytes, written);
    } catch (error) {
      this.#takeBack(written);
      throw error;
    }
    this.#size += bytes.length;
  }

  close(): void {
    closeSync(this.#file);
  }

  /** On a full disk a part of a line may stand, and would tear the next one. Others may have emptied the file before. */
  #takeBack(written: number): void {
    try {
      if (written > 0) ftruncateSync(this.#file, fstatSync(this.#file).size - written);
    } catch {
      // What is no plain file keeps what it got.
    }
  }

  #rotate(): void {
    const { path } = this.#options;
    closeSync(this.#file);
    // Two files filled in one millisecond must not share a name, and the later must be the newer.
    const kept = this.#kept().sort();
    const newest = kept.at(-1);
    const stamp = stampOf(Math.max(this.#clock.now(), newest ? timeOf(newest) + 1 : 0));
    renameSync(path, this.#nameOf(stamp));
    this.#file = openSync(path, 'a', 0o600);
    this.#size = 0;
    this.#clean([...kept, stamp]);
  }

  #nameOf(stamp: string): string {
    const { path } = this.#options;
    const ending = extname(path);
    return join(dirname(path), `${basename(path, ending)}-${stamp}${ending}`);
  }

  /** The times of the files kept. */
  #kept(): string[] {
    const { path } = this.#options;
    const ending = extname(path);
    const start = `${basename(path, ending)}-`;
    return readdirSync(dirname(path))
      .filter((name) => name.startsWith(start) && name.endsWith(ending))
      .map((name) => name.slice(start.length, name.length - ending.length))
      .filter((stamp) => stampPattern.test(stamp));
  }

  #clean(stamps: readonly string[]): void {
    const { maxBackups, maxAgeMs } = this.#options;
    const oldest = stampOf(this.#clock.now() - maxAgeMs);
    const surplus = maxBackups ? stamps.length - maxBackups : 0;
    for (const [position, stamp] of stamps.entries()) {
      if (position < surplus || (maxAgeMs && stamp < oldest)) rmSync(this.#nameOf(stamp), { force: true });
    }
  }
}

/** @throws Error when the file cannot be opened */
export const openAuditLog = (options: AuditLogOptions, clock: Clock, put = writeSync): AuditLog =>
  options.path === '-' ? standardOutput : new RotatingFile(options, clock, put);
