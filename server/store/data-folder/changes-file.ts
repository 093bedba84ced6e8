import {
  closeSync,
  fdatasync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { StorageError } from '../store.ts';
import type { Entry } from '../versions.ts';
import { unfinished } from '../whole-file.ts';
import { roomOnDisk } from './disk-room.ts';
import { markOf } from './frame.ts';
import { expectHeading, framesIn } from './frames.ts';

const heading = Buffer.from('touchstone changes 1\n');
/**
 * Room is taken in pieces of this size, so that a write neither finds the disk full nor lengthens the file: how long it
 * is must be safe before anything is written to its end, or the loss of power would look as if somebody had cut it.
 */
const piece = 1024 * 1024;
const zeros = Buffer.alloc(piece);
/** Of a change, at most. */
const usual = piece / 16;

const syncData = promisify(fdatasync);
const syncLength = promisify(fsync);

/** Bytes of room that are to be left: behind the end of the file, and on the disk. */
export interface Spared {
  readonly inFile: number;
  readonly onDisk: number;
}
const none: Spared = { inFile: 0, onDisk: 0 };

/** The disk has no room left. */
export class FullDiskError extends StorageError {}

/** Changes in the order in which they were made, one frame each, with zeros after the last. */
export class ChangesFile {
  readonly #path: string;
  readonly #fd: number;
  /** How many names it has at least: 1, or 0 where the file system does not count them. */
  readonly #links: number;
  readonly #ino: number;
  /** Whether its path led to it when it was opened, as far as the file system can tell. */
  #isNamed = false;
  #end: number;
  #room: number;
  /** What the last write was to leave. */
  #spared = none;
  /** Nothing more is written to it. */
  #isOver = false;
  /** Up to here there may be something of what could not be written whole. */
  #leftover = 0;
  /** Bytes that survive the loss of power, and how many of them a mark told of. */
  #safe = 0;
  #marked = 0;
  /** The file of before is safe. */
  #before: Promise<void> | undefined;

  private constructor(path: string, fd: number, end: number, room: number) {
    this.#path = path;
    this.#fd = fd;
    this.#end = end;
    this.#room = room;
    const { nlink, ino } = fstatSync(fd);
    this.#links = Math.min(1, nlink);
    this.#ino = ino;
  }

  /** Makes the file, which must not have been there. @throws Error of the file system; nothing is left then */
  static create(path: string): ChangesFile {
    const begun = path + unfinished;
    const file = new ChangesFile(path, openSync(begun, 'w', 0o600), 0, 0);
    try {
      file.#takeRoom(heading.length);
      file.#writeAt(heading, 0);
      file.#end = heading.length;
      fsyncSync(file.#fd);
      renameSync(begun, path);
      file.#isNamed = file.#hasItsName();
      return file;
    } catch (error) {
      file.close();
      rmSync(begun, { force: true });
      // Of a full disk it tells without the file, and of others by a name that nobody knows.
      throw Object.assign(error as Error, { path });
    }
  }

  /** Opens a file to go on where it ends. @returns also what it holds @throws DamagedFileError */
  static resume(path: string): { readonly file: ChangesFile; readonly changes: readonly Entry[] } {
    const bytes = readFileSync(path);
    expectHeading(bytes, heading, path);
    const changes: Entry[] = [];
    const frames = framesIn(bytes, heading.length, path);
    let next = frames.next();
    for (; !next.done; next = frames.next()) changes.push(next.value);
    const file = new ChangesFile(path, openSync(path, 'r+'), next.value, bytes.length);
    file.#blank(next.value, bytes);
    file.#isNamed = file.#hasItsName();
    return { file, changes };
  }

  /** Bytes of all that was written. */
  get size(): number {
    return this.#end;
  }

  /** Bytes of room after what was written. */
  get room(): number {
    return this.#room - this.#end;
  }

  /**
   * Hands the frames to the system, which keeps them even if the process ends.
   * @returns where they begin @throws StorageError, nothing is kept; FullDiskError when they would not leave what is spared
   */
  append(frames: readonly Buffer[], spared = none): number {
    const parts = this.#safe > this.#marked ? [markOf(this.#safe), ...frames] : frames;
    const bytes = parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts);
    this.#spared = spared;
    try {
      this.#expectThere();
      this.#takeAway();
      if (this.#takeRoom(bytes.length)) fsyncSync(this.#fd);
      // Should it fail half-way, the next write takes its place, and a start passes over it.
      this.#leftover = this.#end + bytes.length;
      this.#writeAt(bytes, this.#end);
    } catch (error) {
      throw this.#failure(error);
    }
    const start = this.#end;
    this.#end += bytes.length;
    this.#marked = this.#safe;
    return start;
  }

  /** Takes room ahead of any write, piece by piece, for as long as the file is written to. @throws as `append` */
  async takeReserve(bytes: number): Promise<void> {
    try {
      while (!this.#isOver && this.room < bytes) {
        const start = this.#room;
        this.#writeAt(zeros, start);
        await syncLength(this.#fd);
        // A write may have needed it sooner, or it was given to others and, in part, taken anew.
        if (!this.#isOver && fstatSync(this.#fd).size >= start + piece)
          this.#room = Math.max(this.#room, start + piece);
      }
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Nothing more is written to it: what room it has is for others. @throws Error of the file system */
  giveRoom(): void {
    this.#takeAway();
    ftruncateSync(this.#fd, this.#end + 1);
    this.#room = this.#end + 1;
  }

  /** Whether changes of usual size could be written now. @throws as `append` */
  check(spared: Spared): void {
    this.#spared = spared;
    try {
      this.#expectThere();
      this.#takeAway();
      // A zero in the place of a zero.
      this.#writeAt(zeros.subarray(0, 1), this.#end);
      if (this.#takeRoom(usual)) fsyncSync(this.#fd);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  #failure(error: unknown): StorageError {
    const { code, message } = error as NodeJS.ErrnoException;
    const text = `${this.#path}: ${message}`;
    return code === 'ENOSPC' || code === 'EDQUOT' ? new FullDiskError(text) : new StorageError(text);
  }

  /** Resolves when all that was appended, to files of before too, survives the loss of power. @throws Error of the file system */
  async sync(): Promise<void> {
    if (this.#before) await this.#before;
    const end = this.#end;
    if (!this.#isOver) this.#takeRoomAhead();
    await syncData(this.#fd);
    this.#safe = end;
  }

  /** Ends with the present change: what `next` holds is not safe before this is. @throws as `sync` */
  async handOver(next: ChangesFile): Promise<void> {
    this.#isOver = true;
    next.#before = this.sync();
    try {
      await next.#before;
      next.#before = undefined;
    } finally {
      this.close();
    }
  }

  /** Takes back what was appended since the file had this size. @throws Error of the file system */
  cutBack(size: number): void {
    this.#writeAt(Buffer.alloc(this.#end - size), size);
    this.#end = size;
    this.#marked = 0;
  }

  close(): void {
    this.#isOver = true;
    closeSync(this.#fd);
  }

  /** A file that somebody took away, or put another in its place, would take what nobody finds again. @throws Error */
  #expectThere(): void {
    const { nlink, size } = fstatSync(this.#fd);
    if (nlink < this.#links || size < this.#room || (this.#isNamed && !this.#hasItsName()))
      throw new Error('somebody removed or replaced it while it was in use');
  }

  /** Not so where it was moved, alone or with its folder. */
  #hasItsName(): boolean {
    return statSync(this.#path, { throwIfNoEntry: false })?.ino === this.#ino;
  }

  /** There is always at least one zero after the last frame: without it, something is missing. @returns whether there was too little */
  #takeRoom(length: number): boolean {
    const before = this.#room;
    const { inFile, onDisk } = this.#spared;
    while (this.#room <= this.#end + length + inFile) {
      if (onDisk > 0) this.#expectOnDisk(piece + onDisk);
      this.#writeAt(zeros, this.#room);
      this.#room += piece;
    }
    return this.#room > before;
  }

  /** Where nobody tells, it is left to the write. */
  #expectOnDisk(bytes: number): void {
    const left = roomOnDisk(dirname(this.#path));
    if (left !== undefined && left < bytes) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
  }

  /** For the next writes; it becomes safe with those of now. */
  #takeRoomAhead(): void {
    try {
      this.#takeRoom(piece / 2);
    } catch {
      // The write that needs it says so.
    }
  }

  #writeAt(bytes: Buffer, position: number): void {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(this.#fd, bytes, done, bytes.length - done, position + done);
    }
  }

  /** The next write may be shorter. */
  #takeAway(): void {
    if (this.#leftover > this.#end) this.#writeAt(Buffer.alloc(this.#leftover - this.#end), this.#end);
    this.#leftover = 0;
  }

  /** What was begun and not finished makes room for the next, for good: it must not come back beside that. */
  #blank(from: number, bytes: Buffer): void {
    let end = bytes.length;
    while (end > from && bytes[end - 1] === 0) end--;
    if (end === from) return;
    this.#writeAt(Buffer.alloc(end - from), from);
    fsyncSync(this.#fd);
  }
}
