import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../fixtures/temporary-folder.fixture.ts';
import { object } from '../store.fixture.ts';
import { StoredValue } from '../stored-value.ts';
import { ChangesFile } from './changes-file.ts';
import { frameOf } from './frame.ts';
import { DamagedFileError } from './frames.ts';

const newFolder = temporaryFolders();

const sector = 512;

interface Written {
  readonly path: string;
  /** As the file was before the last group, and with it. */
  readonly before: Buffer;
  readonly after: Buffer;
  /** Of all groups but the last, and of all. */
  readonly safe: readonly string[];
  readonly all: readonly string[];
}

/** Writes groups of changes whose objects have texts of these lengths, each made safe before the next. */
async function written(groups: readonly (readonly number[])[]): Promise<Written> {
  const path = join(newFolder(), 'changes');
  const file = ChangesFile.create(path);
  let [before, safe, all]: [Buffer, string[], string[]] = [readFileSync(path), [], []];
  for (const [number, lengths] of groups.entries()) {
    [before, safe] = [readFileSync(path), all];
    const keys = lengths.map((_, place) => `${number}/${place}`);
    file.append(keys.map((key, place) => frameAt(key, safe.length + place, lengths[place] ?? 0)));
    all = [...safe, ...keys];
    await file.sync();
  }
  file.close();
  return { path, before, after: readFileSync(path), safe, all };
}

const frameAt = (key: string, revision: number, length: number) =>
  frameOf({ key, revision, stored: new StoredValue(key, revision, object('x', 'y'.repeat(length))) });

function keysIn(path: string): string[] {
  const { file, changes } = ChangesFile.resume(path);
  file.close();
  return changes.map(({ key }) => key);
}

const group = fc.array(fc.oneof(fc.nat(60), fc.nat(3000)), { minLength: 1, maxLength: 8 });

describe('after the loss of power', () => {
  it('all that was safe is there, and of the last group what comes before the first sector that is missing', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(group, { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.boolean()),
        async (groups, kept) => {
          const { path, before, after, safe, all } = await written(groups);
          const disk = Buffer.from(after);
          for (let at = 0; at < disk.length; at += sector) {
            if (!kept.next().value) before.copy(disk, at, at, at + sector);
          }
          writeFileSync(path, disk);
          const found = keysIn(path);
          expect(found).toEqual(all.slice(0, found.length));
          expect(found.length).toBeGreaterThanOrEqual(safe.length);
          if (disk.equals(after)) expect(found).toEqual(all);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('what comes next stands in the place of what was torn, of which nothing comes back', async () => {
    const { path, before, after, safe } = await written([[40], [900, 900, 900]]);
    const start = before.findLastIndex((byte) => byte !== 0) + 1;
    const disk = Buffer.from(after);
    disk.fill(0, start, start - (start % sector) + sector);
    writeFileSync(path, disk);
    const { file } = ChangesFile.resume(path);
    file.append([frameAt('new', 9, 900)]);
    file.close();
    expect(keysIn(path)).toEqual([...safe, 'new']);
  });
});

describe('a sector that is lost later', () => {
  it('is noticed wherever something that was safe came after it', async () => {
    const { path, before, after } = await written([[700, 20, 900], [30], [2000], [1]]);
    const end = before.findLastIndex((byte) => byte !== 0) + 1;
    for (let at = 0; at < end; at += sector) {
      const disk = Buffer.from(after);
      disk.fill(0, at, Math.min(at + sector, end));
      writeFileSync(path, disk);
      expect(() => keysIn(path), `at byte ${at}`).toThrow(DamagedFileError);
      expect(readFileSync(path).equals(disk)).toBe(true);
    }
  });
});

it('the length of a file is safe before anything is written to its end', async () => {
  const path = join(newFolder(), 'changes');
  const file = ChangesFile.create(path);
  for (let n = 0; n < 30; n++) {
    const { length } = readFileSync(path);
    file.append([frameAt('x', n, 100_000)]);
    expect(readFileSync(path).length).toBe(length);
    await file.sync();
  }
  file.close();
});
