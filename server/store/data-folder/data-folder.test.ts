import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../../../fixtures/temporary-folder.fixture.ts';
import { storeContract } from '../contract/store.contract.ts';
import { withInvariants } from '../invariants.fixture.ts';
import type { MemoryStore } from '../memory-store.ts';
import { dataOf, object, removing, writing } from '../store.fixture.ts';
import type { Store, StoreEvent } from '../store.ts';
import { type DataFolderOptions, openDataFolder } from './data-folder.ts';
import { DamagedFileError } from './frames.ts';

const newFolder = temporaryFolders();

const open = (folder: string, options: Partial<DataFolderOptions> = {}): Promise<MemoryStore> =>
  openDataFolder({ folder, sync: 'interval', store: { freeze: true }, ...options });

for (const sync of ['always', 'interval'] as const) {
  storeContract(
    `store with a data folder, synced ${sync}`,
    async () => withInvariants(await open(newFolder(), { sync, turnOverAt: 20_000 })),
    sync === 'always' ? 30 : 100,
  );
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

const contents = async (store: Store) =>
  (await store.list('')).items.map((stored) => `${stored.key} ${stored.revision} ${String(stored.bytes)}`);

describe('a data folder', () => {
  it.each(['always', 'interval'] as const)(
    'gives back what was written, however often it turned over: %s',
    async (sync) => {
      const folder = newFolder();
      let known: string[] = [];
      let revision = 1;
      for (let round = 0; round < 4; round++) {
        const store = await open(folder, { sync, turnOverAt: 4000 });
        expect(await contents(store)).toEqual(known);
        expect(await store.currentRevision()).toBe(revision);
        for (let n = 0; n < 40; n++) await store.create(`k/${round}/${n}`, object(`${n}`, 'é'.repeat(n)));
        for (let n = 0; n < 40; n += 3) await store.update(`k/${round}/${n}`, removing);
        for (let n = 1; n < 40; n += 3) await store.update(`k/${round}/${n}`, writing({ n, big: 2n ** 60n }));
        known = await contents(store);
        revision = await store.currentRevision();
        await store.close();
      }
      expect(readdirSync(folder).length).toBeLessThanOrEqual(3);
    },
  );

  it('lets watches go on from before the restart', async () => {
    const folder = newFolder();
    const before = await open(folder);
    const { revision } = await before.create('a', object('a', 1));
    await before.update('a', writing(2));
    await before.create('b', object('b'));
    await before.close();
    const after = await open(folder);
    const seen: StoreEvent[] = [];
    await after.watch('', revision, (event) => seen.push(event));
    await after.update('b', removing);
    expect(seen.map((event) => [event.revision, event.key, dataOf(event.previous)])).toEqual([
      [revision + 1, 'a', 1],
      [revision + 2, 'b', undefined],
      [revision + 3, 'b', {}],
    ]);
    await after.close();
  });

  it('keeps its files to its owner', async () => {
    const folder = join(newFolder(), 'new', 'deep');
    const store = await open(folder, { turnOverAt: 1 });
    for (let n = 0; n < 5; n++) await store.create(`${n}`, object('x'));
    await store.close();
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  it('leaves alone what others keep in it', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'notes.new'), 'precious');
    mkdirSync(join(folder, 'work.new'));
    writeFileSync(join(folder, 'state-7.new'), 'half of a');
    await (await open(folder)).close();
    expect(readdirSync(folder)).toEqual(['changes-1', 'notes.new', 'work.new']);
  });

  it.skipIf(!existsSync('/dev/full'))('goes on in its old file while there is no room for another', async () => {
    const folder = newFolder();
    const [begun, reports] = [join(folder, 'changes-2.new'), [] as unknown[]];
    const report = (error: unknown) => void reports.push(error);
    const store = await open(folder, { turnOverAt: 2000, report });
    const openAt = (path: string) =>
      readdirSync('/proc/self/fd').filter((fd) => linkOf(`/proc/self/fd/${fd}`) === path);
    symlinkSync('/dev/full', begun);
    for (let n = 0; n < 40; n++) await store.create(`a/${n}`, object('x', 'y'.repeat(100)));
    expect(reports.map(String)).toEqual([expect.stringContaining('ENOSPC')]);
    expect(openAt('/dev/full')).toEqual([]);
    expect(readdirSync(folder)).not.toContain('changes-2.new');
    await store.create('large', object('x', 'y'.repeat(1024 * 1024)));
    await store.close();
    expect(readdirSync(folder)).toEqual(['changes-2', 'state-2']);
    const again = await open(folder);
    expect(await again.count('')).toBe(41);
    await again.close();
  });

  it('is refused to a second server, in this process or another, until the first has ended', async () => {
    const folder = newFolder();
    const first = await open(folder);
    await expect(open(folder)).rejects.toThrow(`${folder} is in use by another server`);
    await first.close();
    await (await open(folder)).close();
  });

  it('takes a state to begin with, if it keeps nothing yet', async () => {
    const folder = newFolder();
    const source = await open(newFolder());
    for (let n = 0; n < 5; n++) await source.create(`${n}`, object('x', n));
    const store = await open(folder, { initial: source.state() });
    expect(await contents(store)).toEqual(await contents(source));
    await store.update('3', removing);
    const known = await contents(store);
    await store.close();
    await expect(open(folder, { initial: source.state() })).rejects.toThrow('holds objects already');
    const again = await open(folder);
    expect(await contents(again)).toEqual(known);
    await Promise.all([again.close(), source.close()]);
  });
});

/** A folder with some changes, and with a state. */
async function filled(turnOverAt: number): Promise<string> {
  const folder = newFolder();
  const store = await open(folder, { turnOverAt });
  for (let n = 0; n < 12; n++) await store.create(`key/${n}`, object('x', 'y'.repeat(50)));
  await store.update('key/3', removing);
  await store.close();
  return folder;
}

describe('a damaged data folder', () => {
  const refused = async (folder: string, file: string) => {
    const before = readFileSync(join(folder, file));
    await expect(open(folder)).rejects.toBeInstanceOf(DamagedFileError);
    expect(readFileSync(join(folder, file)).equals(before)).toBe(true);
  };
  const copyOf = (folder: string) => {
    const copy = newFolder();
    for (const name of readdirSync(folder)) copyFileSync(join(folder, name), join(copy, name));
    return copy;
  };
  const writtenIn = (file: string) => {
    const bytes = readFileSync(file);
    return bytes.findLastIndex((byte) => byte !== 0) + 1;
  };

  it.each([
    ['changes', 1_000_000],
    ['state', 1500],
  ])('is refused and left as it is, whichever byte of its %s is another', async (kind, turnOverAt) => {
    const folder = await filled(turnOverAt);
    const file = readdirSync(folder).find((name) => name.startsWith(kind)) ?? '';
    const size = writtenIn(join(folder, file));
    await fc.assert(
      fc.asyncProperty(fc.nat(size - 1), fc.integer({ min: 1, max: 255 }), async (position, change) => {
        const copy = copyOf(folder);
        const bytes = readFileSync(join(copy, file));
        bytes[position] = (bytes[position] ?? 0) ^ change;
        // The last byte of a change says that it is complete; as a zero it says that it is not.
        if (position === size - 1 && bytes[position] === 0) return;
        writeFileSync(join(copy, file), bytes);
        await refused(copy, file);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['changes', 1_000_000],
    ['state', 1500],
  ])('is refused and left as it is, wherever its %s end too soon', async (kind, turnOverAt) => {
    const folder = await filled(turnOverAt);
    const file = readdirSync(folder).find((name) => name.startsWith(kind)) ?? '';
    const size = writtenIn(join(folder, file));
    await fc.assert(
      fc.asyncProperty(fc.nat(size), async (length) => {
        const copy = copyOf(folder);
        truncateSync(join(copy, file), length);
        await refused(copy, file);
      }),
      { numRuns: 100 },
    );
  });

  it('is said to be of another version where its files begin so', async () => {
    const folder = await filled(1500);
    for (const name of readdirSync(folder).filter((name) => /^(?:state|changes)-/.test(name))) {
      const copy = copyOf(folder);
      const later = readFileSync(join(copy, name))
        .toString('latin1')
        .replace(/ \d+\n/, ' 12\n');
      writeFileSync(join(copy, name), later, 'latin1');
      await expect(open(copy)).rejects.toThrow('format 12 is of another version of touchstone. It was left as it is');
    }
  });

  it('is refused when one of its files is missing', async () => {
    const folder = await filled(1500);
    const [state = '', changes = ''] = ['state', 'changes'].map((kind) =>
      readdirSync(folder).find((name) => name.startsWith(kind)),
    );
    for (const missing of [state, changes]) {
      const copy = newFolder();
      for (const name of readdirSync(folder)) if (name !== missing) copyFileSync(join(folder, name), join(copy, name));
      await expect(open(copy)).rejects.toThrow('is missing');
    }
  });

  it('that lacks only the end of its last change, which nobody was told of, loses that change alone', async () => {
    const folder = await filled(1_000_000);
    const file = join(folder, 'changes-1');
    const size = writtenIn(file);
    const whole = await open(copyOf(folder));
    const revision = await whole.currentRevision();
    await whole.close();
    const last = 12 + 12 + 'key/3'.length + 1;
    for (let cut = 1; cut <= last; cut++) {
      const copy = copyOf(folder);
      const bytes = readFileSync(file);
      bytes.fill(0, size - cut, size);
      writeFileSync(join(copy, 'changes-1'), bytes);
      const store = await open(copy);
      expect(await store.currentRevision()).toBe(revision - 1);
      expect((await store.create('new', object('x'))).revision).toBe(revision);
      await store.close();
      const again = await open(copy);
      expect(await again.count('')).toBe(13);
      await again.close();
    }
  });
});

describe('a process that is killed', () => {
  const writer = join(import.meta.dirname, 'writer.fixture.ts');

  /** Gives what the writer was told is written, when it was killed. */
  async function killed(folder: string, sync: string, after: number): Promise<string[]> {
    const child: ChildProcess = spawn(process.execPath, [writer, folder, sync], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const told: string[] = [];
    for await (const line of createInterface({ input: child.stdout as Readable })) {
      told.push(line);
      if (told.length === after) child.kill('SIGKILL');
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    return told;
  }

  it.each(['always', 'interval'] as const)('loses nothing that it was told is written: %s', async (sync) => {
    const folder = newFolder();
    let newest = 0;
    for (const after of [1, 50, 400]) {
      const told = await killed(folder, sync, after);
      expect(told.length).toBeGreaterThanOrEqual(after);
      const store = await open(folder);
      for (const line of told) {
        const [key = '', revision] = line.split(' ');
        expect(Number(revision)).toBeGreaterThan(newest);
        expect((await store.get(key))?.revision).toBe(Number(revision));
      }
      newest = await store.currentRevision();
      await store.close();
    }
    expect(existsSync(folder)).toBe(true);
  });
});
