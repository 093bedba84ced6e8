import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { object } from '../store.fixture.ts';
import { openDataFolder } from './data-folder.ts';
import type { Sync } from './file-journal.ts';

/** Writes until it is killed, and says of each object that it is written, with its revision. */
const [folder = '', sync = ''] = process.argv.slice(2);
const store = await openDataFolder({ folder, sync: sync as Sync, turnOverAt: 20_000 });

const write = async () => {
  for (;;) {
    const { key, revision } = await store.create(randomUUID(), object('x', 'y'.repeat(500)));
    writeSync(1, `${key} ${revision}\n`);
  }
};
await Promise.all([write(), write(), write(), write()]);
